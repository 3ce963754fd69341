package import Basics

/// Fields from a network that the model does not define, by the network's names.
package typealias JSONObject = [String: JSONValue]

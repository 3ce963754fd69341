package import Basics

/// Fields that a network sent and the model does not define, by the network's names.
package typealias JSONObject = [String: JSONValue]

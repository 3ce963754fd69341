package import Basics

/// Fields that a network sent and the model has no word for, by the network's own names.
package typealias JSONObject = [String: JSONValue]

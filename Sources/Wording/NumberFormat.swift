package import ThreadModel

/// How whole numbers are written in one language: `1,004`, `1.004`, `١٬٠٠٤`.
package struct NumberFormat: Sendable, Hashable {
  /// What stands between groups of three digits.
  package let group: String
  /// The number from which on there are groups: Spanish writes 1004 and 10 004 (CLDR, minimum grouping digits).
  package let groupsFrom: Int
  package let digits: Digits

  package init(group: String = ",", groupsFrom: Int = 1000, digits: Digits = .latin) {
    self.group = group
    self.groupsFrom = groupsFrom
    self.digits = digits
  }

  package func text(_ number: Int) -> String {
    digits.converting(number.magnitude >= groupsFrom.magnitude ? grouped(number) : String(number))
  }

  private func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += group }
      text.append(digit)
    }
    return text
  }
}

@main
struct Threadsite {
  static func main() {}
}

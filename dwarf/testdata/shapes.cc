// A program with most of what C++ has in debug information.
namespace outer {
inline namespace v1 {

struct Base {
  virtual ~Base() = default;
  virtual int area() const = 0;
  static constexpr int sides = 4;
};

template <typename T, int N> class Shape : public Base {
public:
  explicit Shape(T w) : width(w) {}
  int area() const override { return static_cast<int>(width) * N; }
  T width;

protected:
  T extra[N] = {};

private:
  mutable int hits = 0;
};

enum class Kind : unsigned char { Small, Large = 200 };
enum { Anonymous = 3 };

} // namespace v1

template <typename... Rest> int count(Rest &&...rest) { return static_cast<int>(sizeof...(rest)); }

using Number = double;

} // namespace outer

using namespace outer;

struct Holder {
  int Base::*none;
  int (Base::*method)() const;
  union {
    int i;
    float f;
  };
  Kind kind : 8;
  Number number;
};

__attribute__((noinline)) int use(const Base &b, int &&n) {
  auto twice = [&](int k) { return b.area() + k * n; };
  int total = 0;
  for (int i = 0; i < n; ++i) {
    int part = twice(i);
    total += part;
  }
  return total;
}

int main(int argc, char **) {
  Shape<short, 3> s(static_cast<short>(argc));
  Shape<double, 5> d(2.5);
  Holder h{};
  h.method = &Base::area;
  h.kind = Kind::Small;
  try {
    if (argc > 9)
      throw argc;
  } catch (int &e) {
    return e;
  }
  return (use(s, 3) + use(d, argc + 1) + count(s, d, h) + (d.*h.method)() + Anonymous) & 0x7f;
}

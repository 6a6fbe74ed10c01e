// scopes: what names of C++ mean: members, classes, namespaces, templates, references, variables of static
// duration, calls that are inlined.
#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global)) void
#define NOINLINE DEVICE __attribute__((noinline))

DEVICE int level = 3;
namespace {
DEVICE int hidden = 11;
}

namespace geo {
DEVICE float scale = 1.5f;
enum Kind { POINT = 2, LINE };
enum class Side : unsigned char { left = 5, right };
inline namespace v2 {
DEVICE int version = 22;
}

struct Base {
  int tag;
  static const int factor = 7;
  static DEVICE int made;
};
DEVICE int Base::made = 40;

struct Other {
  short width, tag;
};

template <typename T, int N> struct Row {
  static constexpr int length = N;
  T at[N];
  NOINLINE T sum(const T &more) const {
    T total = more;
    for (int i = 0; i < N; i++)
      total += at[i];
    return total;
  }
};

namespace deep {
DEVICE int level = 33;
struct Shape : Base, Other {
  using Index = unsigned short;
  enum Mode { EMPTY, FULL = 9 };
  int area;
  int &shared;
  Side side;
  Row<int, 4> row;
  Row<float, 2> *rows;
  unsigned low : 5, high : 11;
  NOINLINE int weigh(int by) {
    static int calls = 100;
    int tag = by + Base::tag; // hides the members
    Index index = area + level;
    area += by;
    calls += index;
    return tag * factor + made + row.sum(by) + FULL;
  }
  DEVICE __attribute__((always_inline)) int twice(int by) {
    int half = by + width;
    shared = half * 2;
    return weigh(half) + shared;
  }
};
} // namespace deep
} // namespace geo

namespace alias = geo::deep;

KERNEL scopes(int *out, const float *in, int n) {
  using namespace geo;
  using alias::Shape;
  int id = __builtin_amdgcn_workitem_id_x();
  int target = id * 5;
  Row<float, 2> rows[2] = {{{in[id], 2.5f}}, {{id * 0.25f, -in[id]}}};
  Shape shape{{id + 1}, {short(id * 2), short(-id)}, id * id, target, id & 1 ? Side::right : Side::left};
  for (int i = 0; i < 4; i++)
    shape.row.at[i] = id * i;
  shape.rows = rows;
  shape.low = id;
  shape.high = 3 * id;
  const Shape &same = shape;
  Shape *const two[2] = {&shape, &shape};
  int result = shape.twice(id + n);
  float f = rows[1].sum(scale) + same.area + two[1]->rows->at[1];
  out[id] = result + f + level + hidden + POINT + version;
}

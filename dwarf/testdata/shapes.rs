// A program with most of what Rust has in debug information.
#[derive(Debug, Clone)]
enum Shape {
    Circle { radius: f64 },
    Square(u32),
    Nothing,
}

trait Area {
    fn area(&self) -> f64;
}

impl Area for Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle { radius } => radius * radius * 3.0,
            Shape::Square(side) => (*side as f64) * (*side as f64),
            Shape::Nothing => 0.0,
        }
    }
}

#[inline(never)]
fn total(shapes: &[Shape]) -> f64 {
    let mut sum = 0.0;
    for s in shapes {
        let part = s.area();
        sum += part;
    }
    sum
}

fn main() {
    let list = vec![Shape::Circle { radius: 2.0 }, Shape::Square(3), Shape::Nothing];
    let name: Option<&str> = Some("shapes");
    println!("{} {:?} {:?}", total(&list), name, list);
}

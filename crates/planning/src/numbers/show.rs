//! Expressions and comparisons as PDDL writes them.

use super::{Fraction, GroundExpression, LinearSum, VariableIndex, ZeroTest};

/// What a variable is called, parentheses included.
type Name<'a> = &'a dyn Fn(VariableIndex) -> String;

/// A number: a fraction is written as a quotient.
pub fn show_number(number: Fraction) -> String {
    match number.denominator() {
        1 => number.numerator().to_string(),
        below => format!("(/ {} {below})", number.numerator()),
    }
}

/// An expression.
pub fn show_expression(expression: &GroundExpression, name: Name<'_>) -> String {
    let both = |sign: &str, [a, b]: &[GroundExpression; 2]| {
        let (a, b) = (show_expression(a, name), show_expression(b, name));
        format!("({sign} {a} {b})")
    };
    match expression {
        GroundExpression::Linear(linear) => {
            let terms = linear.terms.iter();
            let mut parts: Vec<String> = terms.map(|&term| show_term(term, name)).collect();
            if linear.constant != Fraction::ZERO || parts.is_empty() {
                parts.push(show_number(linear.constant));
            }
            show_sum(parts)
        }
        GroundExpression::Sum(parts) => both("+", parts),
        GroundExpression::Product(parts) => both("*", parts),
        GroundExpression::Quotient(parts) => both("/", parts),
    }
}

/// The comparison of an expression with 0: what is taken away on the left is
/// added on the right, so that it reads as people write it.
pub fn show_comparison(expression: &GroundExpression, test: ZeroTest, name: Name<'_>) -> String {
    let (left, right, flipped) = match expression {
        GroundExpression::Linear(linear) => sides(linear, name),
        other => (show_expression(other, name), "0".to_owned(), false),
    };
    let sign = match (test, flipped) {
        (ZeroTest::Positive, false) => ">",
        (ZeroTest::Positive, true) => "<",
        (ZeroTest::NotNegative, false) => ">=",
        (ZeroTest::NotNegative, true) => "<=",
        (ZeroTest::Zero, _) => "=",
        (ZeroTest::NotZero, _) => return format!("(not (= {left} {right}))"),
    };
    format!("({sign} {left} {right})")
}

/// Both sides, and whether they have changed places.
fn sides(linear: &LinearSum, name: Name<'_>) -> (String, String, bool) {
    let side = |sign: i64| -> Vec<String> {
        let terms = linear.terms.iter().filter(|term| {
            let own = term.1.sign();
            own == sign || own == 0 && sign > 0
        });
        let shown = terms.filter_map(|&(variable, factor)| {
            let factor = if sign < 0 { factor.negated()? } else { factor };
            Some(show_term((variable, factor), name))
        });
        shown.collect()
    };
    let (mut left, mut right) = (side(1), side(-1));
    let flipped = left.is_empty();
    let mut constant = linear.constant;
    if flipped {
        std::mem::swap(&mut left, &mut right);
    } else {
        constant = constant.negated().unwrap_or(constant);
    }
    if constant != Fraction::ZERO || right.is_empty() {
        right.push(show_number(constant));
    }
    (show_sum(left), show_sum(right), flipped)
}

fn show_term((variable, factor): (VariableIndex, Fraction), name: Name<'_>) -> String {
    match factor == Fraction::ONE {
        true => name(variable),
        false => format!("(* {} {})", show_number(factor), name(variable)),
    }
}

fn show_sum(mut parts: Vec<String>) -> String {
    match parts.len() {
        0 => "0".to_owned(),
        1 => parts.remove(0),
        _ => format!("(+ {})", parts.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_read_as_people_write_them() {
        let name = |variable: VariableIndex| format!("({})", ["fuel", "load"][variable as usize]);
        let fuel = || GroundExpression::variable(0);
        let load = || GroundExpression::variable(1);
        let number = |it: i64| GroundExpression::from(Fraction::whole(it));
        let show = |it: &GroundExpression, test| show_comparison(it, test, &name);
        let enough = fuel().minus(number(10)).unwrap();
        assert_eq!(show(&enough, ZeroTest::NotNegative), "(>= (fuel) 10)");
        let little = number(10).minus(fuel()).unwrap();
        assert_eq!(show(&little, ZeroTest::Positive), "(< (fuel) 10)");
        let twice = load().times(number(2)).unwrap();
        let both = fuel().minus(twice).unwrap().plus(number(3)).unwrap();
        let shown = "(> (fuel) (+ (* 2 (load)) -3))";
        assert_eq!(show(&both, ZeroTest::Positive), shown);
        let product = fuel().times(load()).unwrap();
        assert_eq!(
            show(&product, ZeroTest::NotZero),
            "(not (= (* (fuel) (load)) 0))"
        );
    }
}

//! Text of the parts that all steps have: rows of a board, one u32 each, whose names end in the
//! row's number. All is written out, so that a device can keep every row in a register.

use crate::solver::board::Direction;

/// A program under way.
#[derive(Debug, Clone)]
pub struct Rows {
    /// Side of the board; at most 31.
    pub n: usize,
    /// Bits of the number of queens on a cell.
    pub planes: usize,
    pub text: String,
}

impl Rows {
    pub fn on(n: usize) -> Self {
        Self {
            n,
            planes: n.ilog2() as usize + 1,
            text: String::new(),
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// One line for each row.
    pub fn each(&mut self, line: impl Fn(usize) -> String) {
        for y in 0..self.n {
            self.line(&line(y));
        }
    }

    /// For each cell of row `y`, the bit of its neighbour in a direction: of 0 where there is none
    /// above or below.
    pub fn seen(&self, name: &str, direction: usize, y: usize) -> String {
        let (dx, dy) = Direction::ALL[direction].step();
        match y.checked_add_signed(dy as isize) {
            Some(row) if row < self.n => match dx {
                1 => format!("({name}_{row} >> 1u)"),
                -1 => format!("({name}_{row} << 1u)"),
                _ => format!("{name}_{row}"),
            },
            _ => "0u".to_owned(),
        }
    }

    /// Cells of row `y` that have a neighbour in a direction.
    pub fn beside(&self, direction: usize, y: usize) -> String {
        let (dx, dy) = Direction::ALL[direction].step();
        let all = (1_u32 << self.n) - 1;
        let is_inside = y
            .checked_add_signed(dy as isize)
            .is_some_and(|row| row < self.n);
        let cells = match dx {
            _ if !is_inside => 0,
            1 => all >> 1,
            -1 => all & !1,
            _ => all,
        };
        format!("{cells:#x}u")
    }

    /// The cells of several rows put together by `|`.
    pub fn any(&self, row: impl Fn(usize) -> String) -> String {
        let rows: Vec<String> = (0..self.n).map(row).collect();
        format!("({})", rows.join(" | "))
    }

    /// Whether a mask has a cell of another.
    pub fn meet(&self, mask: &str, other: &str) -> String {
        format!(
            "({} != 0u)",
            self.any(|y| format!("({mask}_{y} & {other}_{y})"))
        )
    }

    /// `occupied`, `crowded`, and by what the masks say of each cell `threatened`, `clear`,
    /// `single`.
    pub fn predicates(&mut self) {
        let planes = self.planes;
        self.each(|y| {
            let more: Vec<String> = (1..planes).map(|plane| format!("q{plane}_{y}")).collect();
            let crowded = match more.is_empty() {
                true => "0u".to_owned(),
                false => more.join(" | "),
            };
            let mut lines = format!(
                "let crowded_{y} = {crowded}; let occupied_{y} = q0_{y} | crowded_{y};\n\
                 var some_{y} = s0_{y}; var two_{y} = 0u;\n"
            );
            for d in 1..8 {
                lines += &format!("two_{y} |= some_{y} & s{d}_{y}; some_{y} |= s{d}_{y};\n");
            }
            lines
                + &format!(
                    "let threatened_{y} = occupied_{y} & (crowded_{y} | some_{y});\n\
                     let clear_{y} = ~(occupied_{y} | some_{y});\n\
                     let single_{y} = some_{y} & ~(two_{y} | occupied_{y});"
                )
        });
    }

    /// The number of cells in masks, one after the other.
    pub fn count(&mut self, name: &str, masks: &[String]) {
        let mut counts = Vec::new();
        for mask in masks {
            counts.extend((0..self.n).map(|y| format!("countOneBits({mask}_{y})")));
        }
        self.line(&format!("let {name} = {};", counts.join(" + ")));
    }

    /// The cell of rank `rank` in the masks: the mask's number as `kind`, its row as `row` and its
    /// bit as `bit`.
    pub fn locate(&mut self, masks: &[String]) {
        self.line("var within = rank; var chosen = 0u; var kind = 0u; var row = 0u;");
        self.line("{ var is_found = false;");
        for (number, mask) in masks.iter().enumerate() {
            self.each(|y| {
                format!(
                    "{{ let here = countOneBits({mask}_{y}); let is_here = !is_found && within < here;\n\
                     if (is_here) {{ chosen = {mask}_{y}; kind = {number}u; row = {y}u; }}\n\
                     is_found = is_found || is_here; within = select(within - here, within, is_found); }}"
                )
            });
        }
        self.line("is_broken = is_broken || !is_found; }");
        self.line("let bit = bit_of_rank(chosen, within);");
    }
}

//! Text of what a queen's move is: on the board, of which kinds it is, and whether it leads to a
//! solution.

use super::rows::Rows;

impl Rows {
    /// One queen moves from the cell of the masks `from` to that of `to`.
    pub fn move_queen(&mut self) {
        let planes = self.planes;
        self.each(|y| {
            let mut lines = format!("{{ var carried = from_{y};\n");
            for plane in 0..planes {
                lines += &format!(
                    "{{ let before = q{plane}_{y}; q{plane}_{y} = before ^ carried; carried &= ~before; }}\n"
                );
            }
            lines += &format!("carried = to_{y};\n");
            for plane in 0..planes {
                lines += &format!(
                    "{{ let before = q{plane}_{y}; q{plane}_{y} = before ^ carried; carried &= before; }}\n"
                );
            }
            lines + "}"
        });
    }

    /// Counts the move from `from_row`, `from_bit` to `to_row`, `to_bit`, after the whole update;
    /// `side`, `is_safe` and `is_certain` are known.
    pub fn count_move(&mut self) {
        let planes = self.planes;
        self.each(|y| {
            let all: Vec<String> = (0..planes).map(|plane| format!("q{plane}_{y}")).collect();
            let more = match planes {
                1 => "0u".to_owned(),
                _ => all[1..].join(" | "),
            };
            format!(
                "let now_{y} = {}; let met_{y} = ({more}) & to_{y};",
                all.join(" | ")
            )
        });
        let is_met = self.any(|y| format!("met_{y}"));
        self.line(&format!("let is_met = {is_met} != 0u;"));
        self.each(|y| format!("let others_{y} = now_{y} & ~select(to_{y}, 0u, is_met);"));
        self.line("var nearby = 0u; var sights = 0u;");
        for (d, name) in [
            (0, "nw"),
            (1, "north"),
            (2, "ne"),
            (3, "w"),
            (4, "e"),
            (5, "sw"),
            (6, "south"),
            (7, "se"),
        ] {
            self.line(&format!(
                "let {name} = select(0xffffffffu, 0u, side == {d}u);"
            ));
        }
        self.each(|y| {
            format!(
                "{{ let steps = select({y}u - from_row, from_row - {y}u, from_row > {y}u);\n\
                 let lines = from_bit | (from_bit << steps) | (from_bit >> steps);\n\
                 nearby |= others_{y} & select(lines, 0xffffffffu, steps == 0u); }}\n\
                 if (to_row == {y}u) {{ sights |= others_{y} & ((w & (to_bit - 1u)) | (e & ~(to_bit | (to_bit - 1u)))); }}\n\
                 else if (to_row > {y}u) {{ let steps = to_row - {y}u;\n\
                 sights |= others_{y} & ((nw & (to_bit >> steps)) | (north & to_bit) | (ne & (to_bit << steps))); }}\n\
                 else {{ let steps = {y}u - to_row;\n\
                 sights |= others_{y} & ((sw & (to_bit >> steps)) | (south & to_bit) | (se & (to_bit << steps))); }}"
            )
        });
        self.line("let is_truly_safe = !is_met && sights == 0u;");
        self.line("moves += 1u; dangerous += select(1u, 0u, is_certain);");
        self.line("needless += select(1u, 0u, nearby != 0u);");
        self.line("deceived += select(0u, 1u, is_safe != is_truly_safe);");
        self.count_solution();
    }

    /// Whether the queens form a solution: one in each row, and no attack from the rows before.
    fn count_solution(&mut self) {
        self.line("var is_solution = true; var columns = 0u; var falling = 0u; var rising = 0u;");
        self.each(|y| {
            format!(
                "is_solution = is_solution && countOneBits(now_{y}) == 1u && (now_{y} & (columns | falling | rising)) == 0u;\n\
                 columns |= now_{y}; falling = (falling | now_{y}) << 1u; rising = (rising | now_{y}) >> 1u;"
            )
        });
        self.line("if (is_solution) { entries += 1u; if (!was_hit) { status = HIT; } }");
    }
}

//! The word that was probably meant by one that nobody knows: keys and values of specs, and what
//! the command line names. How alike two words must be (0.8 of Jaro and Winkler), and which words
//! of other programs are known (`heatmap`, `scatter` …), is decided here.

/// Words of other programs, and those that mean the same here.
const ELSEWHERE: [(&str, &[&str]); 4] = [
    ("survival", &["run-length"]),
    ("cdf", &["distribution"]),
    ("heatmap", &["tile", "epsilon-eta"]),
    ("scatter", &["points", "curve"]),
];

/// `; did you mean "…"?` for the known word nearest to `word`, empty if none is near enough.
pub fn did_you_mean(word: &str, all: &[&str]) -> String {
    // Similarity (Jaro–Winkler) from which a word counts as a slip of the pen for another.
    const NEAR: f64 = 0.8;
    // The comparison is quadratic.
    const MOST_LETTERS: usize = 64;
    let word = word.to_lowercase();
    let meant = meant_elsewhere(&word, all).or_else(|| {
        let known = all.iter().filter(|_| word.len() <= MOST_LETTERS);
        let scored = known.map(|known| (strsim::jaro_winkler(&word, known), *known));
        let near = scored.filter(|(score, _)| *score >= NEAR);
        let nearest = near.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(nearest.1)
    });
    meant.map_or_else(String::new, |word| format!("; did you mean {word:?}?"))
}

/// The known word that means the same as a word of another program.
fn meant_elsewhere(word: &str, all: &[&str]) -> Option<&'static str> {
    let (_, same) = ELSEWHERE.iter().find(|(theirs, _)| *theirs == word)?;
    same.iter().copied().find(|ours| all.contains(ours))
}

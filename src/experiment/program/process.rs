//! A program that runs: what is written to it, what it answers, and how it is ended. It is in a
//! process group of its own, so that Ctrl-C does not reach it, and whatever it has started ends
//! with it. Here are the times: an answer is late after 5 s, a program may take 2 s to end, and a
//! `timeout` is kept; the longest line of an answer (2²⁰ bytes); and the messages of a program that
//! ends, is silent, writes too much or is not found.

use std::collections::VecDeque;
use std::ffi::c_int;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::solver::{Control, Interrupted};

/// Bytes that a line of an answer may have.
pub const LONGEST_LINE: usize = 1 << 20;

/// Lines of standard error that are kept, the last ones, and bytes of one of them.
const KEPT_LINES: usize = 20;
const KEPT_BYTES: usize = 500;

/// How often a thread that waits looks whether the run is stopped.
const TICK: Duration = Duration::from_millis(50);

/// The same where all pipes of the program are closed.
const SHORT_TICK: Duration = Duration::from_millis(1);

/// Time in which a second line may come behind the first answer.
const GRACE: Duration = Duration::from_millis(100);

/// Time in which a program whose standard input is closed may end by itself.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Time after which a first answer is late.
pub const LATE: Duration = Duration::from_secs(5);

/// Why there is no answer.
#[derive(Debug)]
pub enum Fault {
    /// The run is stopped.
    Interrupted,
    /// The sentence that says it.
    Failed(String),
}

impl From<Interrupted> for Fault {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// A process, its pipes, and what was read of them.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    errors: Option<ChildStderr>,
    /// What came on standard output and was not taken yet.
    read: Vec<u8>,
    last_errors: LastLines,
    has_answered: bool,
    is_ended: bool,
}

/// What a thread waits for, and how long.
pub struct Wait<'a> {
    /// Stops it.
    pub control: &'a Control<'a>,
    /// The longest that it waits.
    pub timeout: Option<Duration>,
    /// Is called once where a first answer is late.
    pub late: &'a dyn Fn(),
}

impl Process {
    /// Starts a program in a folder.
    pub fn start(words: &[String], folder: &Path, has_input: bool) -> Result<Self, String> {
        let (first, arguments) = words.split_first().ok_or("an empty command")?;
        let program = place_of_program(first, folder).map_err(|error| error.to_string())?;
        let mut command = Command::new(&program);
        command.args(arguments).process_group(0);
        if !folder.as_os_str().is_empty() {
            command.current_dir(folder);
        }
        command.stdin(if has_input {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawned = command.spawn();
        let mut child = spawned.map_err(|error| why_not_started(&program, &error))?;
        let input = child.stdin.take();
        if let Some(input) = &input {
            do_not_block(input.as_raw_fd()).map_err(|error| error.to_string())?;
        }
        Ok(Self {
            input,
            output: child.stdout.take(),
            errors: child.stderr.take(),
            child,
            read: Vec::new(),
            last_errors: LastLines::default(),
            has_answered: false,
            is_ended: false,
        })
    }

    /// Writes a line and returns the line that is the answer; [`refuse_more`](Self::refuse_more)
    /// says whether it is the only one.
    pub fn ask(&mut self, line: &str, wait: &Wait) -> Result<String, Fault> {
        // What it has written since its last answer is no answer to this line.
        self.poll(&[], Duration::ZERO)?;
        self.refuse_more().map_err(Fault::Failed)?;
        let begun = Instant::now();
        let mut unwritten = line.as_bytes();
        let mut is_late = false;
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let answer = String::from_utf8_lossy(&self.read[..end]).into_owned();
                self.read.drain(..=end);
                if !self.has_answered {
                    self.await_more()?;
                }
                self.has_answered = true;
                return Ok(answer);
            }
            self.refuse_long_line()?;
            unwritten = self.write(unwritten)?;
            self.wait_on(begun, unwritten, wait, &mut is_late)?;
            if self.output.is_none() || self.has_exited() {
                self.drain()?;
                if !self.read.contains(&b'\n') {
                    return Err(self.ended("output"));
                }
            }
        }
    }

    /// The last line that the program prints before it ends.
    pub fn last_line(&mut self, wait: &Wait) -> Result<String, Fault> {
        let begun = Instant::now();
        // Only a program that is asked again and again can forget to flush an answer.
        let mut is_late = true;
        while self.output.is_some() && !self.has_exited() {
            self.wait_on(begun, &[], wait, &mut is_late)?;
            if self.read.len() > LONGEST_LINE {
                self.keep_last_line();
                self.refuse_long_line()?;
            }
        }
        while !self.has_exited() {
            self.wait_on(begun, &[], wait, &mut is_late)?;
        }
        self.drain()?;
        self.keep_last_line();
        self.refuse_long_line()?;
        let status = self.end_group();
        let last = std::mem::take(&mut self.read);
        let text = String::from_utf8_lossy(&last).trim_end().to_owned();
        match status {
            Some(status) if status.success() => Ok(text),
            status => Err(Fault::Failed(format!(
                "the program ended {}, its last line: {}",
                how(status),
                quoted(&text)
            ))),
        }
    }

    /// The last lines on standard error, each with an indent; empty where there are none.
    pub fn errors(&mut self) -> String {
        // What it wrote last may not be read yet.
        let _ = self.drain();
        self.last_errors.text()
    }

    /// Ends a program that is not asked any more, and returns what it wrote on standard output
    /// since its last answer.
    pub fn end(mut self) -> String {
        self.input = None;
        let begun = Instant::now();
        while !self.has_exited() && begun.elapsed() < LAST_WORDS {
            if self.poll(&[], Duration::from_millis(10)).is_err() || self.read.len() > LONGEST_LINE
            {
                break;
            }
            if self.output.is_none() && self.errors.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let _ = self.drain();
        String::from_utf8_lossy(&self.read).trim().to_owned()
    }

    /// Waits a moment for another line than the first answer: that of a program which answers the
    /// first line, too, and would give each trial the answer of the one before.
    fn await_more(&mut self) -> Result<(), Fault> {
        let begun = Instant::now();
        while self.read.is_empty() && self.output.is_some() && begun.elapsed() < GRACE {
            self.poll(&[], GRACE.saturating_sub(begun.elapsed()))?;
        }
        Ok(())
    }

    /// Refuses what it has written after its answer.
    pub fn refuse_more(&self) -> Result<(), String> {
        if self.read.is_empty() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&self.read);
        Err(format!(
            "it wrote more than one line on standard output: {} after its answer; expected one line for each trial, other text on standard error",
            quoted(text.lines().next().unwrap_or_default())
        ))
    }

    fn refuse_long_line(&self) -> Result<(), Fault> {
        if self.read.len() <= LONGEST_LINE {
            return Ok(());
        }
        Err(Fault::Failed(format!(
            "a line of more than {LONGEST_LINE} bytes on standard output, which begins with {}",
            quoted(&String::from_utf8_lossy(&self.read[..200]))
        )))
    }

    /// Drops what stands before the last line.
    fn keep_last_line(&mut self) {
        let text = self.read.trim_ascii_end();
        let start = text.iter().rposition(|byte| *byte == b'\n');
        self.read.drain(..start.map_or(0, |at| at + 1));
    }

    /// Waits for a tick, or until something has come.
    fn wait_on(
        &mut self,
        begun: Instant,
        unwritten: &[u8],
        wait: &Wait,
        is_late: &mut bool,
    ) -> Result<(), Fault> {
        let left = wait
            .timeout
            .map(|timeout| timeout.saturating_sub(begun.elapsed()));
        // A program closes its pipes a moment before it has ended, of which no pipe tells.
        let is_closed = self.output.is_none() && self.errors.is_none();
        let longest = if is_closed { SHORT_TICK } else { TICK };
        let tick = left.map_or(longest, |left| left.min(longest));
        self.poll(unwritten, tick)?;
        wait.control.poll(0)?;
        let elapsed = begun.elapsed();
        if !self.has_answered && !*is_late && elapsed >= LATE {
            *is_late = true;
            (wait.late)();
        }
        match wait.timeout {
            Some(timeout) if elapsed >= timeout && !self.read.contains(&b'\n') => {
                Err(Fault::Failed(format!(
                    "no answer within its timeout of {} s",
                    timeout.as_secs_f64()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Writes as much of a line as the pipe takes, and returns the rest.
    fn write<'l>(&mut self, line: &'l [u8]) -> Result<&'l [u8], Fault> {
        let Some(input) = self.input.as_mut().filter(|_| !line.is_empty()) else {
            return Ok(line);
        };
        match input.write(line) {
            Ok(length) => Ok(&line[length..]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(line),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(line),
            // It may have answered all the same.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.poll(&[], TICK)?;
                if self.read.is_empty() {
                    return Err(self.ended("input"));
                }
                Ok(&[])
            }
            Err(error) => Err(Fault::Failed(format!("cannot write to it: {error}"))),
        }
    }

    /// Waits until one of the pipes has something, and reads it.
    fn poll(&mut self, unwritten: &[u8], longest: Duration) -> Result<(), Fault> {
        let fd = |pipe: Option<RawFd>| pipe.unwrap_or(-1);
        let output = fd(self.output.as_ref().map(AsRawFd::as_raw_fd));
        let errors = fd(self.errors.as_ref().map(AsRawFd::as_raw_fd));
        let input = self.input.as_ref().filter(|_| !unwritten.is_empty());
        let input = fd(input.map(AsRawFd::as_raw_fd));
        let [has_output, has_errors] = readable([output, errors], input, longest);
        if has_output && let Some(pipe) = &mut self.output {
            match read_some(pipe, &mut self.read) {
                Ok(0) => self.output = None,
                Ok(_) => {}
                Err(error) => return Err(Fault::Failed(format!("cannot read from it: {error}"))),
            }
        }
        if has_errors && let Some(pipe) = &mut self.errors {
            let mut bytes = Vec::new();
            match read_some(pipe, &mut bytes) {
                Ok(0) | Err(_) => self.errors = None,
                Ok(_) => self.last_errors.add(&bytes),
            }
        }
        Ok(())
    }

    /// Reads what is in the pipes now.
    fn drain(&mut self) -> Result<(), Fault> {
        // As much as a pipe holds on any system, and more.
        for _ in 0..64 {
            let before = (self.read.len(), self.last_errors.bytes);
            self.poll(&[], Duration::ZERO)?;
            if before == (self.read.len(), self.last_errors.bytes) {
                break;
            }
        }
        Ok(())
    }

    /// The fault of a program that gives no answer any more: it has closed a pipe, or ended.
    fn ended(&mut self, closed: &str) -> Fault {
        // One that has closed its standard output may end in a moment.
        let begun = Instant::now();
        while !self.has_exited() && begun.elapsed() < 10 * TICK {
            std::thread::sleep(Duration::from_millis(1));
        }
        let has_exited = self.has_exited();
        let _ = self.drain();
        let status = self.end_group();
        let text = String::from_utf8_lossy(&self.read).trim_end().to_owned();
        let came = match &*text {
            "" => String::new(),
            text => format!(", after {}", quoted(text)),
        };
        Fault::Failed(match has_exited {
            true => format!("the program ended {} before it answered{came}", how(status)),
            false => format!("the program closed its standard {closed} before it answered{came}"),
        })
    }

    /// True if the program itself has ended; others that it has started may go on.
    fn has_exited(&mut self) -> bool {
        self.is_ended || has_exited(self.child.id())
    }

    /// Ends the group of the program, which may have others in it.
    fn end_group(&mut self) -> Option<ExitStatus> {
        if !self.is_ended {
            // The number is that of this child's group as long as the child is not waited for.
            kill_group(self.child.id());
            self.is_ended = true;
        }
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end_group();
    }
}

/// The program that the first word of a command names. A path is one in the folder of the spec,
/// wherever this process is.
fn place_of_program(word: &str, folder: &Path) -> io::Result<PathBuf> {
    let named = if word.contains('/') {
        folder.join(word)
    } else {
        word.into()
    };
    let is_relative_path = named.is_relative() && named.components().count() > 1;
    if is_relative_path {
        return std::path::absolute(&named);
    }
    Ok(named)
}

fn why_not_started(program: &Path, error: &io::Error) -> String {
    let name = program.display();
    match error.kind() {
        ErrorKind::NotFound if program.is_file() => {
            format!("{name}: the interpreter that it names is not found")
        }
        ErrorKind::NotFound => format!("{name} is not found"),
        _ => format!("{name} cannot be started: {error}"),
    }
}

/// `with exit code 1`, `by signal 9`.
fn how(status: Option<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    let code = status.and_then(|status| status.code());
    let signal = status.and_then(|status| status.signal());
    match (code, signal) {
        (Some(code), _) => format!("with exit code {code}"),
        (None, Some(signal)) => format!("by signal {signal}"),
        (None, None) => "in an unknown way".to_owned(),
    }
}

/// A text of a program in a message: its beginning, in quotes.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The last lines of a text that comes in pieces.
#[derive(Default)]
struct LastLines {
    lines: VecDeque<Vec<u8>>,
    is_open: bool,
    bytes: u64,
}

impl LastLines {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if !self.is_open {
                self.lines.push_back(Vec::new());
            }
            let line = self.lines.back_mut().expect("one is open");
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            let room = KEPT_BYTES.saturating_sub(line.len());
            line.extend(&text[..text.len().min(room)]);
            self.is_open = !piece.ends_with(b"\n");
            if self.lines.len() > KEPT_LINES {
                self.lines.pop_front();
            }
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| {
            let line = String::from_utf8_lossy(line);
            format!("\n    {}", line.trim_end())
        });
        lines.collect()
    }
}

/// Reads what is there; 0 at the end.
fn read_some(pipe: &mut impl Read, into: &mut Vec<u8>) -> io::Result<usize> {
    let mut bytes = [0; 1 << 14];
    let length = match pipe.read(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(1),
        read => read?,
    };
    into.extend(&bytes[..length]);
    Ok(length)
}

/// Waits until one of two pipes can be read, or a third one be written; −1 stands for none. True
/// for those that can be read, or are at their end.
fn readable(pipes: [RawFd; 2], writable: RawFd, longest: Duration) -> [bool; 2] {
    let waiting = |fd, events| libc::pollfd {
        fd,
        events,
        revents: 0,
    };
    let mut all = [
        waiting(pipes[0], libc::POLLIN),
        waiting(pipes[1], libc::POLLIN),
        waiting(writable, libc::POLLOUT),
    ];
    let longest = c_int::try_from(longest.as_millis()).unwrap_or(c_int::MAX);
    // SAFETY: the array has as many elements as it says, and lives through the call.
    unsafe { libc::poll(all.as_mut_ptr(), all.len() as libc::nfds_t, longest) };
    [all[0].revents != 0, all[1].revents != 0]
}

fn do_not_block(fd: RawFd) -> io::Result<()> {
    // SAFETY: it changes a flag of a pipe that is open and ours alone.
    let done = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    match done {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// True if a child has ended, which stays to be waited for.
fn has_exited(child: u32) -> bool {
    let how = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    let mut found = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: it writes to where it may, and leaves the child to be waited for.
    let answer = unsafe { libc::waitid(libc::P_PID, child, found.as_mut_ptr(), how) };
    // SAFETY: zeros are a valid `siginfo_t`, and the call may have written another one.
    answer == 0 && unsafe { found.assume_init().si_pid() } != 0
}

/// Ends all processes of a group.
fn kill_group(group: u32) {
    if let Ok(group) = libc::pid_t::try_from(group) {
        // SAFETY: it sends a signal to the group of a child that was not waited for yet.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

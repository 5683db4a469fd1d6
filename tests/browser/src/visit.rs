//! A file in a browser, by `file://`, and all that it says or asks for while it is open.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use headless_chrome::Tab;
use headless_chrome::browser::tab::ModifierKey;
use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::types::{Event, Method};
use headless_chrome::protocol::cdp::{Emulation, Log, Network, Page, Runtime};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::chromium::{Chromium, LIMIT};

/// How a page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The width in CSS pixels.
    pub width: u32,
    /// What a reader prefers: dark or light.
    pub is_dark: bool,
    /// True if the page is shown as on paper.
    pub is_print: bool,
    /// What a reader prefers: little motion.
    pub is_calm: bool,
}

impl Look {
    /// A wide window.
    pub const WIDE: Self = Self {
        width: 1280,
        is_dark: false,
        is_print: false,
        is_calm: false,
    };
    /// A telephone.
    pub const NARROW: Self = Self {
        width: 390,
        ..Self::WIDE
    };

    /// The same in dark.
    pub const fn dark(self) -> Self {
        Self {
            is_dark: true,
            ..self
        }
    }
}

/// What a page has done that it should not do, in words.
type Seen = Arc<Mutex<Vec<String>>>;

/// An open page.
pub struct Visit {
    tab: Arc<Tab>,
    seen: Seen,
    // Last: the tab goes first.
    chromium: Chromium,
}

impl Visit {
    /// Opens a file in a browser of its own; `place` is what follows its name in the address.
    ///
    /// # Panics
    /// Where there is no browser, as everything here where a browser does not do what it should.
    pub fn of(file: &Path, place: &str, look: Look) -> Self {
        let chromium = Chromium::start().expect("Chromium starts");
        let tab = chromium.browser().new_tab().expect("a tab");
        tab.set_default_timeout(LIMIT);
        let visit = Self {
            tab,
            seen: Seen::default(),
            chromium,
        };
        visit.listen();
        visit.set(look);
        visit.go(file, place);
        visit
    }

    /// Opens another file, or the same one afresh.
    pub fn go(&self, file: &Path, place: &str) {
        let path = file.to_str().expect("a path of text");
        // Another address in between, because a new `#` alone loads nothing.
        self.tab.navigate_to("about:blank").expect("it opens");
        self.wait("location.href === 'about:blank'");
        let address = format!("file://{path}{place}");
        self.tab.navigate_to(&address).expect("it opens");
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'");
    }

    /// Shows the page otherwise.
    pub fn set(&self, look: Look) {
        let scheme = if look.is_dark { "dark" } else { "light" };
        let motion = if look.is_calm {
            "reduce"
        } else {
            "no-preference"
        };
        self.call::<Emulation::SetEmulatedMedia>(json!({
            "media": if look.is_print { "print" } else { "screen" },
            "features": [
                { "name": "prefers-color-scheme", "value": scheme },
                { "name": "prefers-reduced-motion", "value": motion },
            ],
        }));
        self.call::<Emulation::SetDeviceMetricsOverride>(json!({
            "width": look.width,
            "height": 900,
            "deviceScaleFactor": 1.0,
            "mobile": false,
        }));
    }

    /// What the body of an asynchronous function of JavaScript returns, in the page.
    pub fn ask(&self, body: &str) -> Value {
        let returned = self.call::<Runtime::Evaluate>(json!({
            "expression": format!("(async () => {{ {body} }})()"),
            "returnByValue": true,
            "awaitPromise": true,
            "userGesture": true,
        }));
        if let Some(thrown) = returned.exception_details {
            panic!("{body}: {thrown:?}");
        }
        returned.result.value.unwrap_or(Value::Null)
    }

    /// The text that an expression gives.
    pub fn text(&self, expression: &str) -> String {
        let value = self.ask(&format!("return String({expression});"));
        value.as_str().unwrap_or_default().to_owned()
    }

    /// The number that an expression gives.
    pub fn number(&self, expression: &str) -> f64 {
        let value = self.ask(&format!("return Number({expression});"));
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let begin = Instant::now();
        while self.ask(&format!("return Boolean({expression});")) != Value::Bool(true) {
            assert!(
                begin.elapsed() < LIMIT,
                "after {LIMIT:?} not so: {expression}"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key.
    pub fn press(&self, key: &str, modifiers: &[ModifierKey]) {
        let pressed = self.tab.press_key_with_modifiers(key, Some(modifiers));
        pressed.unwrap_or_else(|error| panic!("{key}: {error}"));
    }

    /// Types into what has the focus.
    pub fn write(&self, text: &str) {
        self.tab.send_character(text).expect("typed");
    }

    /// The middle of what an expression gives, after scrolling there.
    pub fn middle(&self, expression: &str) -> Point {
        let middle = self.ask(&format!(
            "const it = {expression}; it.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); \
             const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2];"
        ));
        let at = |index: usize| {
            let place = middle[index].as_f64();
            place.unwrap_or_else(|| panic!("{expression}: {middle}"))
        };
        Point { x: at(0), y: at(1) }
    }

    /// Clicks on the middle of what an expression gives.
    pub fn click(&self, expression: &str) {
        let middle = self.middle(expression);
        self.tab.click_point(middle).expect("clicked");
    }

    /// What is seen of the page, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let format = Page::CaptureScreenshotFormatOption::Png;
        let picture = self.tab.capture_screenshot(format, None, None, true);
        picture.expect("a picture")
    }

    /// The page as it is printed.
    pub fn printed(&self) -> Vec<u8> {
        self.tab.print_to_pdf(None).expect("a PDF")
    }

    /// What the page did that it should not have done: errors and warnings, and requests for
    /// anything but itself.
    pub fn seen(&self) -> Vec<String> {
        // What it did before this answer is known by now.
        self.ask("return 1;");
        thread::sleep(Duration::from_millis(200));
        self.seen.lock().expect("no listener fails").clone()
    }

    /// The browser.
    pub fn chromium(&self) -> &Chromium {
        &self.chromium
    }

    fn listen(&self) {
        let seen = Arc::clone(&self.seen);
        let listener = move |event: &Event| {
            if let Some(words) = fault(event) {
                seen.lock().expect("no listener fails").push(words);
            }
        };
        let listener = self.tab.add_event_listener(Arc::new(listener));
        listener.expect("a listener");
        self.call::<Runtime::Enable>(Value::Null);
        self.call::<Log::Enable>(Value::Null);
        self.call::<Network::Enable>(json!({}));
    }

    /// Calls a method of the browser's protocol with these of its parameters.
    fn call<C>(&self, parameters: Value) -> C::ReturnObject
    where
        C: Method + Serialize + DeserializeOwned + std::fmt::Debug,
    {
        let method: C = serde_json::from_value(parameters).expect(C::NAME);
        let returned = self.tab.call_method(method);
        returned.unwrap_or_else(|error| panic!("{}: {error}", C::NAME))
    }
}

/// What is wrong about an event, if anything is.
fn fault(event: &Event) -> Option<String> {
    match event {
        Event::RuntimeConsoleAPICalled(event) => Some(format!("console: {:?}", event.params)),
        Event::RuntimeExceptionThrown(event) => {
            Some(format!("exception: {:?}", event.params.exception_details))
        }
        Event::LogEntryAdded(event) => Some(format!("log: {:?}", event.params.entry)),
        Event::NetworkRequestWillBeSent(event) => {
            let address = &event.params.request.url;
            // A worker that the page makes of its own text is no request to elsewhere.
            let is_page = address.starts_with("blob:")
                || address.starts_with("file://") && address.ends_with(".html");
            (!is_page && address != "about:blank").then(|| format!("request: {address}"))
        }
        _ => None,
    }
}

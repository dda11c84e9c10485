//! What the driver has to say, as lines in the queue of the session that was made last: C++ has the log.

use crate::outcome::Status;
use crate::queue::{Completion, Payload, Queue};
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

static TARGET: Mutex<Weak<Queue>> = Mutex::new(Weak::new());

/// From here on, lines go to this queue.
pub fn send_to(queue: &Arc<Queue>) {
    *TARGET.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(queue);
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Fails only if somebody else in the process listens already; then they have the lines.
        let _ = tracing::subscriber::set_global_default(Warnings);
    });
}

/// Takes warnings and errors, and no spans.
struct Warnings;

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let target = TARGET.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(queue) = target {
            let mut line = Line(String::new());
            event.record(&mut line);
            let payload = Payload { text: line.0, rows: None };
            let (context, status) = (0, Status::Log);
            queue.push_line(Completion {
                context,
                status,
                attempts: 0,
                statement: 0,
                speculations: 0,
                payload: Some(Box::new(payload)),
                _permit: None,
            });
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message, and behind it what belongs to it as name=value.
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a String cannot fail.
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

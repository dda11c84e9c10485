//! Completions on their way to the one who takes them: a queue, and a descriptor that is readable while it has something.

use crate::cells::Rows;
use crate::outcome::Status;
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedSemaphorePermit;

/// What a result is made of, behind its pointer.
#[derive(Default)]
pub struct Payload {
    pub text: String,
    pub rows: Option<Rows>,
}

/// One entry of the queue.
pub struct Completion {
    pub context: u64,
    pub status: Status,
    pub attempts: u32,
    pub statement: u32,
    pub speculations: u32,
    pub payload: Option<Box<Payload>>,
    /// Given back when the entry is taken: an answer that waits here is still in flight.
    pub _permit: Option<OwnedSemaphorePermit>,
}

pub struct Queue {
    entries: Mutex<VecDeque<Completion>>,
    event: OwnedFd,
}

/// More lines than this wait for nobody.
const MAX_LOG_LINES: usize = 1000;

impl Queue {
    pub fn new() -> io::Result<Queue> {
        // SAFETY: takes no pointers.
        let descriptor = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was just opened, and nobody else knows of it.
        let event = unsafe { OwnedFd::from_raw_fd(descriptor) };
        Ok(Queue { entries: Mutex::default(), event })
    }

    pub fn descriptor(&self) -> i32 {
        self.event.as_raw_fd()
    }

    pub fn push(&self, completion: Completion) {
        let first = {
            let mut entries = self.entries();
            entries.push_back(completion);
            entries.len() == 1
        };
        // One signal for all that comes until it was taken. It may come late, when there is nothing left: that is a
        // look too many, never one too few.
        if first {
            self.signal();
        }
    }

    /// Like push, for lines that may be lost when there are too many.
    pub fn push_line(&self, line: Completion) {
        if self.entries().len() < MAX_LOG_LINES {
            self.push(line);
        }
    }

    pub fn take(&self, count: usize) -> Vec<Completion> {
        let mut entries = self.entries();
        let count = count.min(entries.len());
        let taken = entries.drain(..count).collect();
        if entries.is_empty() {
            self.clear_signal();
        }
        taken
    }

    fn entries(&self) -> MutexGuard<'_, VecDeque<Completion>> {
        // Nothing in here can panic half-way.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self) {
        let one: u64 = 1;
        // SAFETY: eight bytes are read from a number that outlives the call. It fails only when the count is full,
        // and then the descriptor is readable.
        unsafe { libc::write(self.descriptor(), (&raw const one).cast(), 8) };
    }

    fn clear_signal(&self) {
        let mut count: u64 = 0;
        // SAFETY: eight bytes are written to a number that outlives the call. It fails only when there was no signal.
        unsafe { libc::read(self.descriptor(), (&raw mut count).cast(), 8) };
    }
}

/// Owes one completion. Whoever drops it without paying, by a panic or because the task was dropped, pays with `internal`.
pub struct Debt {
    queue: Arc<Queue>,
    context: u64,
    permit: Option<OwnedSemaphorePermit>,
    pub attempts: u32,
    pub speculations: u32,
    /// The number of what is being prepared.
    pub statement: u32,
}

impl Debt {
    pub fn new(queue: Arc<Queue>, context: u64, permit: OwnedSemaphorePermit) -> Debt {
        Debt { queue, context, permit: Some(permit), attempts: 0, speculations: 0, statement: 0 }
    }

    pub fn pay(mut self, status: Status, payload: Option<Box<Payload>>) {
        self.complete(status, payload);
    }

    fn complete(&mut self, status: Status, payload: Option<Box<Payload>>) {
        if let Some(permit) = self.permit.take() {
            self.queue.push(Completion {
                context: self.context,
                status,
                attempts: self.attempts,
                statement: self.statement,
                speculations: self.speculations,
                payload,
                _permit: Some(permit),
            });
        }
    }
}

impl Drop for Debt {
    fn drop(&mut self) {
        let payload = Payload { text: "a request ended without an answer".into(), rows: None };
        self.complete(Status::Internal, Some(Box::new(payload)));
    }
}

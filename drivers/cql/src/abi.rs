//! The exported functions, as `include/footfall_cql.h` describes them.
//!
//! Whatever C gives is checked: a null, a length, a number or bytes that are no UTF-8 become `CQL_INVALID`. A panic
//! becomes `CQL_INTERNAL`.

use crate::cells::{Values, NULL, UNSET};
use crate::log;
use crate::outcome::Status;
use crate::queue::{Payload, Queue};
use crate::second_node::Speculation;
use crate::session::{Call, Config, Session, Use};
use scylla::statement::Consistency;
use std::num::NonZeroUsize;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// `cql_text`
#[repr(C)]
pub struct Text {
    data: *const u8,
    length: usize,
}

/// `cql_cell`
#[repr(C)]
pub struct Cell {
    pub data: *const u8,
    pub length: i32,
}

/// `cql_config`
#[repr(C)]
pub struct RawConfig {
    contacts: Text,
    datacenter: Text,
    keyspaces: Text,
    user: Text,
    password: Text,
    connections_per_node: u32,
    max_in_flight: u32,
    attempt_ms: u32,
}

/// `cql_terms`
#[repr(C)]
pub struct RawTerms {
    deadline_ms: u32,
    speculate_ms: u32,
    speculate_from: u32,
}

/// `cql_completion`
#[repr(C)]
pub struct RawCompletion {
    context: u64,
    status: i32,
    attempts: u32,
    statement: u32,
    speculations: u32,
    result: *mut Payload,
}

/// `cql_call`
#[repr(C)]
pub struct RawCall {
    statement: u32,
    cell_count: u32,
    cells: *const Cell,
}

/// `cql_session`
pub struct Handle(Arc<Session>);

/// Runs `body`; what it has no status for, and a panic, become one.
fn guarded(body: impl FnOnce() -> Result<Status, Status>) -> i32 {
    catch_unwind(AssertUnwindSafe(body)).map_or(Status::Internal, |outcome| outcome.unwrap_or_else(|failed| failed))
        as i32
}

/// SAFETY: `data` is null or has `count` items that live until the caller returns.
unsafe fn slice<'a, T>(data: *const T, count: usize) -> Result<&'a [T], Status> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Status::Invalid);
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// SAFETY: as for `slice`.
unsafe fn text(text: &Text) -> Result<String, Status> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice(text.data, text.length) }?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Status::Invalid)
}

/// SAFETY: `pointer` is null or came from `cql_session_new` and was not freed.
unsafe fn session<'a>(pointer: *const Handle) -> Result<&'a Arc<Session>, Status> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.map(|handle| &handle.0).ok_or(Status::Invalid)
}

fn milliseconds(count: u32) -> Duration {
    Duration::from_millis(u64::from(count))
}

/// SAFETY: the cells and what they point to live until the caller returns.
unsafe fn values(cells: &[Cell]) -> Result<Values, Status> {
    let mut values = Values::with_capacity(cells.len());
    for cell in cells {
        match usize::try_from(cell.length) {
            // SAFETY: the caller's promise.
            Ok(length) => values.push(cell.length, unsafe { slice(cell.data, length) }?),
            Err(_) if cell.length == NULL || cell.length == UNSET => values.push(cell.length, &[]),
            Err(_) => return Err(Status::Invalid),
        }
    }
    Ok(values)
}

/// SAFETY: the texts of `raw` live until the caller returns.
unsafe fn config(raw: &RawConfig) -> Result<Config, Status> {
    // SAFETY: the caller's promise, for each.
    let (contacts, datacenter, keyspaces, user, password) = unsafe {
        (text(&raw.contacts)?, text(&raw.datacenter)?, text(&raw.keyspaces)?, text(&raw.user)?, text(&raw.password)?)
    };
    let count = |number: u32| usize::try_from(number).map_err(|_| Status::Invalid);
    if datacenter.is_empty() || contacts.is_empty() {
        return Err(Status::Invalid);
    }
    Ok(Config {
        contacts: contacts.split(',').map(|contact| contact.trim().to_owned()).collect(),
        datacenter,
        keyspaces: keyspaces.split(',').map(str::to_owned).collect(),
        user,
        password,
        connections_per_node: NonZeroUsize::new(count(raw.connections_per_node)?).ok_or(Status::Invalid)?,
        max_in_flight: count(raw.max_in_flight)?,
        attempt: milliseconds(raw.attempt_ms),
    })
}

#[no_mangle]
unsafe extern "C" fn cql_session_new(raw: *const RawConfig, made: *mut *mut Handle) -> i32 {
    guarded(|| {
        if made.is_null() {
            return Err(Status::Invalid);
        }
        // SAFETY: null or a config whose texts live during this call, says the header.
        let config = unsafe { config(raw.as_ref().ok_or(Status::Invalid)?) }?;
        let queue = Queue::new().map_err(|_| Status::Internal)?;
        let session = Session::new(config, queue);
        log::send_to(&session.queue);
        // SAFETY: not null, and a place for a pointer, says the header.
        unsafe { made.write(Box::into_raw(Box::new(Handle(session)))) };
        Ok(Status::Ok)
    })
}

#[no_mangle]
unsafe extern "C" fn cql_session_descriptor(handle: *const Handle) -> i32 {
    // SAFETY: a session, says the header.
    unsafe { session(handle) }.map_or(-1, |session| session.queue.descriptor())
}

#[no_mangle]
unsafe extern "C" fn cql_connect(handle: *const Handle, deadline_ms: u32, context: u64) -> i32 {
    // SAFETY: a session, says the header.
    guarded(|| Ok(unsafe { session(handle) }?.connect(milliseconds(deadline_ms), context)))
}

#[no_mangle]
unsafe extern "C" fn cql_run(handle: *const Handle, statement: Text, deadline_ms: u32, context: u64) -> i32 {
    guarded(|| {
        // SAFETY: a session, and a text that lives during this call, says the header.
        let (session, statement) = unsafe { (session(handle)?, text(&statement)?) };
        Ok(session.run(statement, milliseconds(deadline_ms), context))
    })
}

#[no_mangle]
unsafe extern "C" fn cql_prepare(
    handle: *const Handle,
    statement: Text,
    consistency: i32,
    kind: i32,
    deadline_ms: u32,
    context: u64,
) -> i32 {
    guarded(|| {
        // SAFETY: a session, and a text that lives during this call, says the header.
        let (session, statement) = unsafe { (session(handle)?, text(&statement)?) };
        let consistency = match consistency {
            1 => Consistency::LocalOne,
            2 => Consistency::LocalQuorum,
            _ => return Err(Status::Invalid),
        };
        let kind = match kind {
            0 => Use::Writes,
            1 => Use::Reads,
            2 => Use::ReadsAnywhere,
            3 => Use::Scans,
            _ => return Err(Status::Invalid),
        };
        Ok(session.prepare(statement, consistency, kind, milliseconds(deadline_ms), context))
    })
}

/// SAFETY: the cells of `raw`, and what they point to, live until the caller returns.
unsafe fn call(session: &Session, raw: &RawCall) -> Result<Call, Status> {
    let statement = session.prepared(raw.statement).ok_or(Status::Invalid)?;
    let cells = usize::try_from(raw.cell_count).map_err(|_| Status::Invalid)?;
    // SAFETY: the caller's promise.
    let values = unsafe { values(slice(raw.cells, cells)?) }?;
    Ok(Call { statement, values })
}

#[no_mangle]
unsafe extern "C" fn cql_owner(handle: *const Handle, raw: *const RawCall, owner: *mut u64) -> i32 {
    guarded(|| {
        // SAFETY: a session, and a call that lives during this one, says the header.
        let (session, raw) = unsafe { (session(handle)?, raw.as_ref().ok_or(Status::Invalid)?) };
        if owner.is_null() {
            return Err(Status::Invalid);
        }
        // SAFETY: so do its cells; and `owner` is a place for a number.
        unsafe { owner.write(session.owner(&call(session, raw)?)) };
        Ok(Status::Ok)
    })
}

#[no_mangle]
unsafe extern "C" fn cql_execute(
    handle: *const Handle,
    calls: *const RawCall,
    count: usize,
    terms: *const RawTerms,
    context: u64,
) -> i32 {
    guarded(|| {
        // SAFETY: a session, and calls and terms that live during this one, says the header.
        let (session, calls, terms) =
            unsafe { (session(handle)?, slice(calls, count)?, terms.as_ref().ok_or(Status::Invalid)?) };
        let mut copied = Vec::with_capacity(count);
        for raw in calls {
            // SAFETY: so do their cells.
            copied.push(unsafe { call(session, raw) }?);
        }
        if copied.is_empty() {
            return Err(Status::Invalid);
        }
        let speculation = Speculation {
            after: (terms.speculate_ms > 0).then(|| milliseconds(terms.speculate_ms)),
            from_attempt: terms.speculate_from,
        };
        Ok(session.execute(copied, milliseconds(terms.deadline_ms), speculation, context))
    })
}

#[no_mangle]
unsafe extern "C" fn cql_take(handle: *const Handle, out: *mut RawCompletion, capacity: usize) -> usize {
    let taken = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: a session, says the header.
        let session = unsafe { session(handle) }.ok()?;
        (!out.is_null()).then(|| session.queue.take(capacity))
    }));
    let Ok(Some(taken)) = taken else {
        return 0;
    };
    let count = taken.len();
    for (at, completion) in taken.into_iter().enumerate() {
        let raw = RawCompletion {
            context: completion.context,
            status: completion.status as i32,
            attempts: completion.attempts,
            statement: completion.statement,
            speculations: completion.speculations,
            result: completion.payload.map_or(std::ptr::null_mut(), Box::into_raw),
        };
        // SAFETY: no more than `capacity` were taken, and there is room for so many, says the header.
        unsafe { out.add(at).write(raw) };
    }
    count
}

#[no_mangle]
unsafe extern "C" fn cql_session_close(handle: *const Handle) {
    guarded(|| {
        // SAFETY: a session, says the header.
        unsafe { session(handle) }?.close();
        Ok(Status::Ok)
    });
}

#[no_mangle]
unsafe extern "C" fn cql_session_free(handle: *mut Handle) {
    guarded(|| {
        if !handle.is_null() {
            // SAFETY: it came from Box::into_raw, and nobody uses it any more, says the header.
            let owned = unsafe { Box::from_raw(handle) };
            owned.0.close();
        }
        Ok(Status::Ok)
    });
}

#[no_mangle]
unsafe extern "C" fn cql_result_cells(result: *const Payload, rows: *mut usize, columns: *mut usize) -> *const Cell {
    // SAFETY: null or a result that was not freed, says the header.
    let found = unsafe { result.as_ref() }.and_then(|payload| payload.rows.as_ref());
    if !rows.is_null() {
        // SAFETY: a place for a number, says the header.
        unsafe { rows.write(found.map_or(0, |found| found.rows())) };
    }
    if !columns.is_null() {
        // SAFETY: a place for a number, says the header.
        unsafe { columns.write(found.map_or(0, |found| found.columns())) };
    }
    found.map_or(std::ptr::null(), |found| found.cells().as_ptr())
}

#[no_mangle]
unsafe extern "C" fn cql_result_text(result: *const Payload) -> Text {
    // SAFETY: null or a result that was not freed, says the header.
    let text = unsafe { result.as_ref() }.map_or("", |payload| payload.text.as_str());
    Text { data: text.as_ptr(), length: text.len() }
}

#[no_mangle]
unsafe extern "C" fn cql_result_free(result: *mut Payload) {
    guarded(|| {
        if !result.is_null() {
            // SAFETY: it came from Box::into_raw, and nobody uses it any more, says the header.
            drop(unsafe { Box::from_raw(result) });
        }
        Ok(Status::Ok)
    });
}

#[no_mangle]
unsafe extern "C" fn cql_sizes(sizes: *mut usize) {
    if !sizes.is_null() {
        let ours = [
            size_of::<RawConfig>(),
            size_of::<Cell>(),
            size_of::<RawCall>(),
            size_of::<RawTerms>(),
            size_of::<RawCompletion>(),
        ];
        // SAFETY: a place for five numbers, says the header.
        unsafe { sizes.cast::<[usize; 5]>().write_unaligned(ours) };
    }
}

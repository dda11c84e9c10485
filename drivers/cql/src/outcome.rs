//! From the driver's many errors to what who asks can decide by.

use scylla::errors::{DbError, ExecutionError, PrepareError, RequestAttemptError};

/// `cql_status` of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    Invalid = 1,
    Overloaded = 2,
    Unavailable = 3,
    TimedOut = 4,
    Closed = 5,
    Internal = 6,
    Log = 100,
}

/// Why an attempt failed.
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    pub fn new(status: Status, text: impl ToString) -> Failure {
        Failure { status, text: text.to_string() }
    }

    /// Whether the same request may succeed later.
    pub fn may_pass(&self) -> bool {
        matches!(self.status, Status::Unavailable | Status::TimedOut)
    }
}

fn of_database(error: &DbError) -> Status {
    match error {
        DbError::SyntaxError
        | DbError::Invalid
        | DbError::AlreadyExists { .. }
        | DbError::FunctionFailure { .. }
        | DbError::AuthenticationError
        | DbError::Unauthorized
        | DbError::ConfigError
        | DbError::ProtocolError => Status::Invalid,
        DbError::ReadTimeout { .. } | DbError::WriteTimeout { .. } => Status::TimedOut,
        _ => Status::Unavailable,
    }
}

fn of_attempt(error: &RequestAttemptError) -> Status {
    match error {
        RequestAttemptError::DbError(error, _) => of_database(error),
        RequestAttemptError::SerializationError(_) | RequestAttemptError::CqlRequestSerialization(_) => Status::Invalid,
        _ => Status::Unavailable,
    }
}

impl From<ExecutionError> for Failure {
    fn from(error: ExecutionError) -> Failure {
        let status = match &error {
            ExecutionError::BadQuery(_) => Status::Invalid,
            ExecutionError::LastAttemptError(attempt) => of_attempt(attempt),
            ExecutionError::RequestTimeout(_) => Status::TimedOut,
            _ => Status::Unavailable,
        };
        Failure::new(status, error)
    }
}

impl From<PrepareError> for Failure {
    fn from(error: PrepareError) -> Failure {
        let status = match &error {
            PrepareError::AllAttemptsFailed { first_attempt } => of_attempt(first_attempt),
            _ => Status::Unavailable,
        };
        Failure::new(status, error)
    }
}

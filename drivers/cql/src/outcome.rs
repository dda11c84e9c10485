//! From the driver's many errors to what who asks can decide by.

use scylla::errors::{
    ConnectionError, ConnectionPoolError, ConnectionSetupRequestErrorKind, DbError, ExecutionError, MetadataError,
    NewSessionError, PrepareError, RequestAttemptError,
};

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

/// Of the first connection: what a node refuses (a wrong password, none where one is wanted) stays refused, unless the
/// node says that it could not look: then it answers AUTHENTICATION as well, with "Unable to perform authentication".
fn of_setup(error: &ConnectionSetupRequestErrorKind) -> Status {
    match error {
        ConnectionSetupRequestErrorKind::DbError(DbError::AuthenticationError, text) if text.contains("Unable to perform") => {
            Status::Unavailable
        }
        ConnectionSetupRequestErrorKind::DbError(error, _) => of_database(error),
        ConnectionSetupRequestErrorKind::MissingAuthentication => Status::Invalid,
        _ => Status::Unavailable,
    }
}

impl From<NewSessionError> for Failure {
    fn from(error: NewSessionError) -> Failure {
        let status = match &error {
            NewSessionError::MetadataError(MetadataError::ConnectionPoolError(ConnectionPoolError::Broken {
                last_connection_error: ConnectionError::ConnectionSetupRequestError(setup),
            })) => of_setup(setup.get_error()),
            _ => Status::Unavailable,
        };
        Failure::new(status, error)
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

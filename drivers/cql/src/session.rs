//! A session: requests, their attempts, and what is prepared.

use crate::cells::{Rows, Values};
use crate::outcome::{Failure, Status};
use crate::queue::{Debt, Payload, Queue};
use crate::second_node::{begin_attempt, with_second_node, SecondNode, SecondNodes, Speculation};
use scylla::client::execution_profile::{ExecutionProfile, ExecutionProfileHandle};
use scylla::client::session::Session as Driver;
use scylla::client::session_builder::SessionBuilder;
use scylla::client::{Compression, PoolSize};
use scylla::policies::load_balancing::DefaultPolicy;
use scylla::response::query_result::QueryResult;
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::prepared::PreparedStatement;
use scylla::statement::{Consistency, Statement};
use std::future::Future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::{watch, Semaphore};
use tokio::time::Instant;

/// `cql_config` of the header, copied.
pub struct Config {
    pub contacts: Vec<String>,
    pub datacenter: String,
    pub keyspaces: Vec<String>,
    pub user: String,
    pub password: String,
    pub connections_per_node: NonZeroUsize,
    pub max_in_flight: usize,
    pub attempt: Duration,
}

/// `cql_use` of the header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Writes,
    Reads,
    ReadsAnywhere,
    Scans,
}

/// One statement of a request and its values.
pub struct Call {
    pub statement: Arc<PreparedStatement>,
    pub values: Values,
}

pub struct Session {
    config: Config,
    pub queue: Arc<Queue>,
    slots: Arc<Semaphore>,
    closing: watch::Sender<bool>,
    driver: OnceLock<Driver>,
    /// By number; empty while it is being prepared.
    prepared: RwLock<Vec<Option<Arc<PreparedStatement>>>>,
}

/// The threads of all sessions of this process. They end with it: whoever stops a runtime has to know that no task of
/// it runs, and the driver has tasks of its own.
fn runtime() -> Option<&'static Runtime> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    RUNTIME
        .get_or_init(|| {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            builder.worker_threads(2).thread_name("cql").enable_all().build().ok()
        })
        .as_ref()
}

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Between half of `longest` and all of it, so that those who failed together do not come back together.
fn jittered(longest: Duration) -> Duration {
    let draw = RandomState::new().build_hasher().finish();
    longest / 2 + longest.mul_f64((draw % 1024) as f64 / 2048.0)
}

fn rows_of(answer: QueryResult) -> Result<Option<Rows>, Failure> {
    if !answer.is_rows() {
        return Ok(None);
    }
    let frame = answer.into_rows_result().map_err(|error| Failure::new(Status::Internal, error))?;
    Rows::new(frame).map(Some).map_err(|text| Failure::new(Status::Internal, text))
}

impl Session {
    pub fn new(config: Config, queue: Queue) -> Arc<Session> {
        let slots = Arc::new(Semaphore::new(config.max_in_flight.min(Semaphore::MAX_PERMITS)));
        Arc::new(Session {
            config,
            queue: Arc::new(queue),
            slots,
            closing: watch::Sender::new(false),
            driver: OnceLock::new(),
            prepared: RwLock::default(),
        })
    }

    pub fn connect(self: &Arc<Self>, deadline: Duration, context: u64) -> Status {
        let session = Arc::clone(self);
        self.start(deadline, context, move || {
            let session = Arc::clone(&session);
            async move {
                let mut builder = SessionBuilder::new()
                    .known_nodes(&session.config.contacts)
                    .prefer_datacenter(session.config.datacenter.clone())
                    .compression(Some(Compression::Lz4))
                    .pool_size(PoolSize::PerHost(session.config.connections_per_node))
                    .keyspaces_to_fetch(&session.config.keyspaces)
                    .default_execution_profile_handle(session.profile(Use::Reads));
                if !session.config.user.is_empty() {
                    builder = builder.user(&session.config.user, &session.config.password);
                }
                let driver = builder.build().await?;
                session.check_datacenter(&driver)?;
                session.driver.set(driver).map_err(|_| Failure::new(Status::Invalid, "connected already"))?;
                Ok(None)
            }
        })
    }

    pub fn run(self: &Arc<Self>, statement: String, deadline: Duration, context: u64) -> Status {
        let session = Arc::clone(self);
        let reads = statement.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"));
        let mut statement = Statement::new(statement);
        statement.set_is_idempotent(reads);
        if !reads {
            statement.set_request_timeout(Some(deadline));
        }
        self.start(deadline, context, move || {
            let (session, statement) = (Arc::clone(&session), statement.clone());
            async move { rows_of(session.driver()?.query_unpaged(statement, ()).await?) }
        })
    }

    pub fn prepare(
        self: &Arc<Self>,
        text: String,
        consistency: Consistency,
        kind: Use,
        deadline: Duration,
        context: u64,
    ) -> Status {
        let number = {
            let mut prepared = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
            prepared.push(None);
            prepared.len() - 1
        };
        let Ok(statement) = u32::try_from(number) else {
            return Status::Invalid;
        };
        let session = Arc::clone(self);
        self.start_with(deadline, Speculation::default(), context, statement, move || {
            let (session, text) = (Arc::clone(&session), text.clone());
            async move {
                let mut statement = session.driver()?.prepare(text).await?;
                statement.set_is_idempotent(true);
                statement.set_consistency(consistency);
                // Columns are named, never `*`: what an answer looks like does not change under a prepared statement.
                statement.set_use_cached_result_metadata(true);
                statement.set_execution_profile_handle(Some(session.profile(kind)));
                statement.set_history_listener(Arc::new(SecondNodes));
                let mut prepared = session.prepared.write().unwrap_or_else(PoisonError::into_inner);
                if let Some(place) = prepared.get_mut(number) {
                    *place = Some(Arc::new(statement));
                }
                Ok(None)
            }
        })
    }

    /// The statement with this number, once it is prepared.
    pub fn prepared(&self, number: u32) -> Option<Arc<PreparedStatement>> {
        let prepared = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        prepared.get(usize::try_from(number).ok()?)?.clone()
    }

    /// Stands for the first replica, in this datacenter, of the partition that `call` names; 0 if that is not known.
    pub fn owner(&self, call: &Call) -> u64 {
        let first = || {
            let token = call.statement.calculate_token(&call.values).ok()??;
            let table = call.statement.get_table_spec()?;
            let state = self.driver.get()?.get_cluster_state();
            let strategy = &state.get_keyspace(table.ks_name())?.strategy;
            let local = Some(self.config.datacenter.as_str());
            let replicas = state.replica_locator().replicas_for_token(token, strategy, local, table);
            let (node, _) = replicas.into_replicas_ordered().into_iter().next()?;
            Some(node.host_id.as_u64_pair().0)
        };
        first().unwrap_or(0)
    }

    pub fn execute(
        self: &Arc<Self>,
        calls: Vec<Call>,
        deadline: Duration,
        speculation: Speculation,
        context: u64,
    ) -> Status {
        let session = Arc::clone(self);
        let calls: Arc<[Call]> = calls.into();
        self.start_with(deadline, speculation, context, 0, move || {
            let (session, calls) = (Arc::clone(&session), Arc::clone(&calls));
            async move {
                let driver = session.driver()?;
                match &*calls {
                    [] => Err(Failure::new(Status::Invalid, "nothing to execute")),
                    [call] => rows_of(driver.execute_unpaged(&call.statement, &call.values).await?),
                    [first, ..] => {
                        let statements = calls.iter().map(|call| PreparedStatement::clone(&call.statement).into());
                        let mut batch = Batch::new_with_statements(BatchType::Unlogged, statements.collect());
                        batch.set_is_idempotent(true);
                        batch.set_history_listener(Arc::new(SecondNodes));
                        if let Some(consistency) = first.statement.get_consistency() {
                            batch.set_consistency(consistency);
                        }
                        batch.set_execution_profile_handle(first.statement.get_execution_profile_handle().cloned());
                        let values: Vec<&Values> = calls.iter().map(|call| &call.values).collect();
                        rows_of(driver.batch(&batch, values).await?)
                    }
                }
            }
        })
    }

    pub fn close(&self) {
        self.slots.close();
        self.closing.send_replace(true);
    }

    fn driver(&self) -> Result<&Driver, Failure> {
        self.driver.get().ok_or_else(|| Failure::new(Status::Invalid, "not connected"))
    }

    /// That there is the datacenter of which all is asked: without it no request would find a node.
    fn check_datacenter(&self, driver: &Driver) -> Result<(), Failure> {
        let state = driver.get_cluster_state();
        let mut known: Vec<&str> = state.get_nodes_info().iter().filter_map(|node| node.datacenter.as_deref()).collect();
        known.sort_unstable();
        known.dedup();
        if known.contains(&self.config.datacenter.as_str()) {
            return Ok(());
        }
        let text = format!("no node is in the datacenter \"{}\"; there are: {}", self.config.datacenter, known.join(", "));
        Err(Failure::new(Status::Invalid, text))
    }

    fn profile(&self, kind: Use) -> ExecutionProfileHandle {
        let policy = DefaultPolicy::builder()
            .prefer_datacenter(self.config.datacenter.clone())
            .token_aware(true)
            .permit_dc_failover(kind == Use::ReadsAnywhere)
            .build();
        ExecutionProfile::builder()
            .consistency(Consistency::LocalQuorum)
            .request_timeout((kind != Use::Scans).then_some(self.config.attempt))
            .load_balancing_policy(policy)
            .speculative_execution_policy(Some(Arc::new(SecondNode)))
            .build()
            .into_handle()
    }

    /// Makes attempts until one succeeds, fails for good, or the time is over; then completes.
    fn start<Attempt, Answer>(self: &Arc<Self>, deadline: Duration, context: u64, attempt: Attempt) -> Status
    where
        Attempt: Fn() -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Result<Option<Rows>, Failure>> + Send,
    {
        self.start_with(deadline, Speculation::default(), context, 0, attempt)
    }

    /// The same, and may ask a second node; the completion names `statement`.
    fn start_with<Attempt, Answer>(
        self: &Arc<Self>,
        deadline: Duration,
        speculation: Speculation,
        context: u64,
        statement: u32,
        attempt: Attempt,
    ) -> Status
    where
        Attempt: Fn() -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Result<Option<Rows>, Failure>> + Send,
    {
        let permit = match Arc::clone(&self.slots).try_acquire_owned() {
            Ok(permit) => permit,
            Err(tokio::sync::TryAcquireError::NoPermits) => return Status::Overloaded,
            Err(tokio::sync::TryAcquireError::Closed) => return Status::Closed,
        };
        let Some(runtime) = runtime() else {
            return Status::Internal;
        };
        let mut debt = Debt::new(Arc::clone(&self.queue), context, permit);
        debt.statement = statement;
        let mut closing = self.closing.subscribe();
        runtime.spawn(async move {
            let outcome = tokio::select! {
                (outcome, second_nodes) =
                    with_second_node(speculation, attempts(attempt, Instant::now() + deadline, &mut debt.attempts)) => {
                    debt.speculations = second_nodes;
                    outcome
                }
                _ = closing.wait_for(|closed| *closed) => Err(Failure::new(Status::Closed, "the session was closed")),
            };
            match outcome {
                Ok(None) => debt.pay(Status::Ok, None),
                Ok(rows) => debt.pay(Status::Ok, Some(Box::new(Payload { text: String::new(), rows }))),
                Err(failure) => debt.pay(failure.status, Some(Box::new(Payload { text: failure.text, rows: None }))),
            }
        });
        Status::Ok
    }
}

async fn attempts<Attempt, Answer>(
    attempt: Attempt,
    deadline: Instant,
    count: &mut u32,
) -> Result<Option<Rows>, Failure>
where
    Attempt: Fn() -> Answer,
    Answer: Future<Output = Result<Option<Rows>, Failure>>,
{
    let mut last = Failure::new(Status::TimedOut, "no answer in time");
    let mut pause = FIRST_PAUSE;
    loop {
        *count = begin_attempt();
        match tokio::time::timeout_at(deadline, attempt()).await {
            Ok(Ok(rows)) => return Ok(rows),
            Ok(Err(failure)) if failure.may_pass() => last = failure,
            Ok(Err(failure)) => return Err(failure),
            Err(_) => return Err(last),
        }
        let next = Instant::now() + jittered(pause);
        if next >= deadline {
            return Err(last);
        }
        tokio::time::sleep_until(next).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

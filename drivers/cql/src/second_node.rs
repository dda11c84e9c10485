//! A second node is asked what the first one is slow to answer: the crate does it, this decides whether and when, request
//! by request, and counts. The crate has a policy for each statement; what a request is made with is found in its task.

use scylla::errors::{RequestAttemptError, RequestError};
use scylla::observability::history::{AttemptId, HistoryListener, RequestId, SpeculativeId};
use scylla::policies::retry::RetryDecision;
use scylla::policies::speculative_execution::{Context, SpeculativeExecutionPolicy};
use std::cell::Cell;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

/// How a request may be asked of a second node.
#[derive(Clone, Copy, Default)]
pub struct Speculation {
    /// So long after the first one.
    pub after: Option<Duration>,
    /// Not in the attempts before this one; the first is 1.
    pub from_attempt: u32,
}

/// Of the request of this task.
struct Asked {
    speculation: Speculation,
    attempt: Cell<u32>,
    second_nodes: Cell<u32>,
}

tokio::task_local! {
    static ASKED: Asked;
}

/// Runs the attempts of a request, which call `begin_attempt`; what came of it, and how often a second node was asked.
pub async fn with_second_node<Answer>(
    speculation: Speculation,
    attempts: impl Future<Output = Answer>,
) -> (Answer, u32) {
    let asked = Asked { speculation, attempt: Cell::new(0), second_nodes: Cell::new(0) };
    let counted = async {
        let answer = attempts.await;
        (answer, ASKED.with(|asked| asked.second_nodes.get()))
    };
    ASKED.scope(asked, counted).await
}

/// Answers which one it is, from 1.
pub fn begin_attempt() -> u32 {
    let begun = ASKED.try_with(|asked| {
        asked.attempt.set(asked.attempt.get() + 1);
        asked.attempt.get()
    });
    begun.unwrap_or(1)
}

/// After how long the attempt under way asks a second node.
fn second_node_after() -> Option<Duration> {
    let after = |asked: &Asked| {
        let now = asked.attempt.get() >= asked.speculation.from_attempt;
        asked.speculation.after.filter(|_| now)
    };
    ASKED.try_with(after).ok().flatten()
}

/// For the time that is asked for though no second node is.
const NEVER: Duration = Duration::from_secs(86_400);

/// The policy of all statements.
#[derive(Debug)]
pub struct SecondNode;

impl SpeculativeExecutionPolicy for SecondNode {
    fn max_retry_count(&self, _: &Context) -> usize {
        usize::from(second_node_after().is_some())
    }

    fn retry_interval(&self, _: &Context) -> Duration {
        second_node_after().unwrap_or(NEVER)
    }
}

/// Hears of all requests, and counts the second nodes.
#[derive(Debug)]
pub struct SecondNodes;

impl HistoryListener for SecondNodes {
    fn log_new_speculative_fiber(&self, _: RequestId) -> SpeculativeId {
        let _ = ASKED.try_with(|asked| asked.second_nodes.set(asked.second_nodes.get() + 1));
        SpeculativeId(0)
    }

    fn log_request_start(&self) -> RequestId {
        RequestId(0)
    }

    fn log_attempt_start(&self, _: RequestId, _: Option<SpeculativeId>, _: SocketAddr) -> AttemptId {
        AttemptId(0)
    }

    fn log_request_success(&self, _: RequestId) {}
    fn log_request_error(&self, _: RequestId, _: &RequestError) {}
    fn log_attempt_success(&self, _: AttemptId) {}
    fn log_attempt_error(&self, _: AttemptId, _: &RequestAttemptError, _: &RetryDecision) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::runtime::Builder;

    fn run<Answer>(future: impl Future<Output = Answer>) -> Answer {
        let Ok(runtime) = Builder::new_current_thread().build() else { std::process::abort() };
        runtime.block_on(future)
    }

    const SOON: Duration = Duration::from_millis(100);

    #[test]
    fn outside_of_a_request_no_second_node_is_asked() {
        assert_eq!(second_node_after(), None);
        assert_eq!(begin_attempt(), 1);
    }

    #[test]
    fn a_request_says_from_which_attempt_on_a_second_node_is_asked() {
        let from_second = Speculation { after: Some(SOON), from_attempt: 2 };
        let attempts = async {
            [1, 2, 3].map(|number| {
                assert_eq!(begin_attempt(), number);
                second_node_after()
            })
        };
        assert_eq!(run(with_second_node(from_second, attempts)), ([None, Some(SOON), Some(SOON)], 0));
    }

    #[test]
    fn without_a_time_none_is_asked() {
        let attempts = async {
            begin_attempt();
            second_node_after()
        };
        assert_eq!(run(with_second_node(Speculation::default(), attempts)), (None, 0));
    }

    #[test]
    fn second_nodes_are_counted_for_the_request_that_asked_them() {
        let attempts = |count: usize| async move {
            begin_attempt();
            for _ in 0..count {
                SecondNodes.log_new_speculative_fiber(RequestId(0));
                tokio::task::yield_now().await;
            }
        };
        let both = async {
            let one = with_second_node(Speculation::default(), attempts(1));
            let other = with_second_node(Speculation::default(), attempts(3));
            tokio::join!(one, other)
        };
        assert_eq!(run(both), (((), 1), ((), 3)));
    }
}

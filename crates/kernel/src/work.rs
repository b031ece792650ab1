//! Work that can be stopped from outside: a server must be able to end any computation of the rules.
//!
//! Drivers of rules call [`tick`] with every step. Under [`limited`] a tick asks now and then whether to stop, and then
//! leaves the whole computation by unwinding, so that no rule needs to know of limits. The kernel reads no clock: what
//! says stop comes from outside.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// Ticks between two questions whether to stop.
const EVERY: u32 = 32;

type Stop = Rc<dyn Fn() -> bool>;

thread_local! {
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
    static TICKS: Cell<u32> = const { Cell::new(0) };
}

/// The computation was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Puts the limit from before back, also when the work unwinds.
struct Restore(Option<Stop>);

impl Drop for Restore {
    fn drop(&mut self) {
        STOP.with(|stop| *stop.borrow_mut() = self.0.take());
    }
}

/// Runs a computation on this thread until it ends or `stop` says true.
///
/// The work must hold no lock and change nothing outside: what it had begun is dropped where it stands.
pub fn limited<T>(stop: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let _restore = Restore(STOP.with(|held| held.borrow_mut().replace(Rc::new(stop))));
    TICKS.set(0);
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Stopped>() {
        Ok(stopped) => *stopped,
        Err(panic) => resume_unwind(panic),
    })
}

/// Counts a step of work, and leaves the computation if its limit says stop. Free without a limit.
#[inline]
pub fn tick() {
    let ticks = TICKS.get().wrapping_add(1);
    TICKS.set(ticks);
    if ticks.is_multiple_of(EVERY) {
        check();
    }
}

/// Asks at once whether to stop: for a step that is long by itself.
pub fn check() {
    let stop = STOP.with(|stop| stop.borrow().clone());
    if stop.is_some_and(|stop| stop()) {
        // No hook runs and nothing is printed: this is no fault.
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_end_is_stopped() {
        let asked = Rc::new(Cell::new(0));
        let counted = asked.clone();
        let stop = move || {
            counted.set(counted.get() + 1);
            counted.get() == 3
        };
        let endless = || {
            loop {
                tick();
            }
        };
        assert_eq!(limited(stop, endless), Err::<(), _>(Stopped));
        assert_eq!(asked.get(), 3);
        // The limit ends with the work.
        (0..1000).for_each(|_| tick());
        assert_eq!(asked.get(), 3);
    }

    #[test]
    fn a_limit_within_a_limit_gives_way_to_the_outer_one() {
        let outer = || {
            assert_eq!(limited(|| true, check), Err(Stopped));
            check();
        };
        assert_eq!(limited(|| false, outer), Ok(()));
    }

    #[test]
    fn a_panic_stays_a_panic() {
        let caught = std::panic::catch_unwind(|| limited(|| false, || resume_unwind(Box::new("a fault"))));
        assert_eq!(*caught.unwrap_err().downcast::<&str>().unwrap(), "a fault");
    }
}

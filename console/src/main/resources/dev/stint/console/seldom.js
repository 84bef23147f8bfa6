// Work that is asked for often, and done seldom.

/**
 * Returns a function that asks for some work, which is done a while later. Asking again does not
 * put it off. Nothing is done twice at a time: whatever is asked for while the work is being done
 * is done a while after its end. The function's `cancel` forgets what was asked for.
 *
 * @param work returns a promise that is never rejected
 * @param wait in milliseconds
 */
export function seldom(work, wait) {
  let timer = null;
  let working = false;
  let again = false;

  function ask() {
    if (working) {
      again = true;
    } else {
      timer ??= setTimeout(begin, wait);
    }
  }

  async function begin() {
    timer = null;
    working = true;
    await work();
    working = false;
    if (again) {
      again = false;
      ask();
    }
  }

  ask.cancel = () => {
    clearTimeout(timer);
    timer = null;
    again = false;
  };
  return ask;
}

/**
 * Returns a function that waits for an answer and passes it on, unless the answer to a later question was passed on
 * before: answers may overtake each other on their way.
 */
export function inOrder<Answer>(show: (answer: Answer) => void): (answer: Promise<Answer>) => Promise<void> {
  let asked = 0;
  let shown = 0;
  return async (coming) => {
    const number = ++asked;
    const answer = await coming;
    if (number < shown) return;
    shown = number;
    show(answer);
  };
}

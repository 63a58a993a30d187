import { AsyncLocalStorage } from 'node:async_hooks';
import type { Send } from '../table/send-through.ts';

/** How many calls of the table a function has left to live. */
const lives = new AsyncLocalStorage<{ calls: number }>();

/** Runs a function that is killed after so many calls of a table behind `killable`. */
export const dyingAfter = <Result>(calls: number, run: () => Promise<Result>): Promise<Result> =>
  lives.run({ calls }, run);

/** A process that is killed does nothing more: its last call is carried out, and none of its further calls reaches the table. */
export const killable =
  (onKill: () => void) =>
  (send: Send): Send =>
  async (command) => {
    const life = lives.getStore();
    if (life && life.calls <= 0) throw new Error('The worker was killed on purpose.');
    const answer = await send(command);
    if (life) life.calls -= 1;
    if (life?.calls === 0) {
      onKill();
      throw new Error('The worker was killed on purpose, and what it did is done.');
    }
    return answer;
  };

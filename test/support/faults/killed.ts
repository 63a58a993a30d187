import { AsyncLocalStorage } from 'node:async_hooks';
import type { Send } from '../table/send-through.ts';

/** The number of table calls that a function may still make before it is killed. */
const lives = new AsyncLocalStorage<{ calls: number }>();

/** Runs a function and kills it after this many calls of a table behind `killable`. */
export const dyingAfter = <Result>(calls: number, run: () => Promise<Result>): Promise<Result> =>
  lives.run({ calls }, run);

/** Simulates a killed process: its last call is carried out, and no later call reaches the table. */
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

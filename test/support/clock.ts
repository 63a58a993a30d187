import { world } from '../../shared/wiring/runtime.ts';

const real = world.now;

/** The functions' clock, which a test can stop and start again. Nothing else in the process uses it. */
export const clock = {
  stopAt(instant: string): void {
    const at = new Date(instant);
    world.now = () => new Date(at);
  },
  /** Moves the clock forward from its present time. */
  forward({ days = 0, hours = 0, minutes = 0, milliseconds = 0 }): void {
    const at = world.now().getTime() + ((days * 24 + hours) * 60 + minutes) * 60_000 + milliseconds;
    world.now = () => new Date(at);
  },
  /** Makes the clock run this many times faster from now on. */
  hurry(times: number): void {
    const [from, since] = [world.now().getTime(), performance.now()];
    world.now = () => new Date(from + (performance.now() - since) * times);
  },
  run(): void {
    world.now = real;
  },
};

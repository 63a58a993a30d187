import { world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../clock.ts';
import { seeded } from '../seeded.ts';

/** Stops the clock and makes ids and secrets the same in every run. */
export function makeDeterministic(instant: string, seed: number): void {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)));
  clock.stopAt(instant);
  world.randomInt = below;
  world.random = random;
  world.randomBytes = bytes;
  world.newUuid = () => {
    const hex = bytes(16).toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join(
      '-',
    );
  };
}

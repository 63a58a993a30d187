import { setTimeout } from 'node:timers/promises';
import { median } from '../bench/measure.ts';

/** The least processor time of three runs, in milliseconds: other work on the machine does not count. */
export function cpuMillisecondsOf(work: () => unknown): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    return microsecondsSince(before) / 1_000;
  });
  return Math.min(...runs);
}

function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The processor time of one run, in microseconds. */
export async function microsecondsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return microsecondsSince(before);
}

/** What it costs to look at every character once: the yardstick for what is refused at once. */
function read(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}

let readOfOne: number | undefined;

/** The microseconds that it takes to read one character, measured once. */
function microsecondsOfCharacter(): number {
  const text = 'a'.repeat(1_000_000);
  readOfOne ??= (cpuMillisecondsOf(() => read(text)) * 1_000) / text.length;
  return readOfOne;
}

/** The characters and bytes of an input, and four signs around each member, as JSON has. */
function sizeOf(input: unknown): number {
  if (typeof input === 'string' || input instanceof Uint8Array) return input.length;
  if (typeof input !== 'object' || input === null) return 1;
  return Object.entries(input).reduce(
    (sum, [name, member]) => sum + 4 + (Array.isArray(input) ? 0 : name.length) + sizeOf(member),
    0,
  );
}

/** So much must a measurement take, in reads of the longer input character by character, before a ratio of it says anything. */
const readsOfInput = 10;

/** The most that a ratio of linear work may be, with room for noise on both sides: it is 4, and 16 of quadratic work. */
export const linear = 8;

/** So many pairs of measurements at most, an odd number. */
const mostPairs = 15;

/** After so many pairs, what else this process has to do gets its turn before the next one. */
const pairsAtOnce = 3;

/** What costs no more than this beside a quarter of the input costs about the same for both: no noise hides a ratio of 16 so far. */
const same = 1.5;

/**
 * How much more processor time four times the input takes: 4 for linear cost, 16 for quadratic cost. The longer input comes first, so that
 * what is compiled on the way counts against it; the shorter one is measured again where its cost is not about the same. The speed of a
 * machine doubles and halves within a second, so a time is compared only with the one measured next to it: once a pair looks steep, the
 * median of all pairs counts, until it is that of linear work. Work that costs no more than reading its input a few times passes, because
 * its ratio is noise.
 */
export async function growthOf<Input>(
  make: (size: number) => Input,
  act: (input: Input) => unknown,
  size: number,
): Promise<number> {
  const [short, long] = [make(size / 2), make(2 * size)];
  const least = readsOfInput * microsecondsOfCharacter() * sizeOf(long);
  const ratios: number[] = [];
  for (;;) {
    const longer = await microsecondsOf(() => act(long));
    if (longer <= least) return 1;
    let shorter = await microsecondsOf(() => act(short));
    if (longer > same * shorter) shorter = Math.min(shorter, await microsecondsOf(() => act(short)));
    ratios.push(longer / Math.max(shorter, 1));
    if (median(ratios) < linear || ratios.length === mostPairs) return median(ratios);
    if (ratios.length >= pairsAtOnce) await setTimeout(ratios.length);
  }
}

import { setTimeout } from 'node:timers/promises';
import { median } from '../bench/measure.ts';

/** The lowest processor time of three runs, in milliseconds. Other programs on the machine hardly affect it. */
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

/** Reads every character once. Its cost is the yardstick for inputs that are refused at once. */
function read(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}

let readOfOne: number | undefined;

/** The time to read one character in microseconds, measured once. */
function microsecondsOfCharacter(): number {
  const text = 'a'.repeat(1_000_000);
  readOfOne ??= (cpuMillisecondsOf(() => read(text)) * 1_000) / text.length;
  return readOfOne;
}

/** The size of an input: its characters and bytes, plus four JSON signs around each member. */
function sizeOf(input: unknown): number {
  if (typeof input === 'string' || input instanceof Uint8Array) return input.length;
  if (typeof input !== 'object' || input === null) return 1;
  return Object.entries(input).reduce(
    (sum, [name, member]) => sum + 4 + (Array.isArray(input) ? 0 : name.length) + sizeOf(member),
    0,
  );
}

/** The least time of a meaningful measurement, as a multiple of the time to read the longer input once. */
const readsOfInput = 10;

/**
 * The highest ratio that counts as linear. Linear work has the ratio 4 and quadratic work 16, so noise has room on both
 * sides.
 */
export const linear = 8;

/** The highest number of measured pairs. It is odd, so there is a median. */
const mostPairs = 15;

/** After this many pairs, other work of this process gets its turn before the next pair. */
const pairsAtOnce = 3;

/** Up to this ratio, both inputs cost about the same. Noise cannot make a ratio of 16 look this small. */
const same = 1.5;

/**
 * Measures how much more processor time an input of four times the size takes: 4 means linear cost, 16 means quadratic
 * cost. The longer input runs first, so compilation counts against it. The shorter input is measured again if its cost
 * is not about the same. The speed of a machine can double or halve within a second, so each time is compared only with
 * the one measured next to it. Once a pair looks steep, the median of all pairs counts, until that median is linear.
 * Work that costs only a few reads of its input passes, because its ratio is noise.
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

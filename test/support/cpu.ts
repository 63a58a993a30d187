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

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** So much must a measurement take, in reads of the longer input byte by byte, before a ratio of it says anything. */
const readsOfInput = 10;

/** What it costs to look at every character once: the yardstick for what is refused at once. */
function read(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}

/** The most that a ratio of linear work may be, with room for noise; of quadratic work it is 4. */
export const linear = 3;

/**
 * How much more processor time twice the input takes: 2 for linear cost, 4 for quadratic cost. Rounds of both sizes
 * alternate, medians are compared, and the best of four tries counts, because noise only adds. Work that costs no
 * more than reading its input a few times passes after one round, because its ratio is noise.
 */
export async function growthOf<Input>(
  make: (size: number) => Input,
  act: (input: Input) => unknown,
  size: number,
): Promise<number> {
  const inputs = { once: make(size), twice: make(2 * size) };
  let best = await ratioOf(inputs, act);
  for (let more = 3; best >= linear && more > 0; more -= 1) best = Math.min(best, await ratioOf(inputs, act));
  return best;
}

async function ratioOf<Input>({ once, twice }: Record<'once' | 'twice', Input>, act: (input: Input) => unknown) {
  const text = typeof twice === 'string' ? twice : JSON.stringify(twice);
  const rounds: Record<'least' | 'once' | 'twice', number>[] = [];
  while (rounds.length < 3) {
    const round = {
      least: readsOfInput * (await microsecondsOf(() => read(text))),
      once: await microsecondsOf(() => act(once)),
      twice: await microsecondsOf(() => act(twice)),
    };
    if (round.twice <= round.least) return 1;
    rounds.push(round);
  }
  const of = (name: 'least' | 'once' | 'twice') => median(rounds.map((round) => round[name]));
  return of('twice') <= of('least') ? 1 : of('twice') / Math.max(of('once'), 1);
}

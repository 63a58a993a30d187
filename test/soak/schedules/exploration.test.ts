import { describe, expect, it } from 'vitest';
import { explore } from '../../support/schedules/explore.ts';
import type { Footprint } from '../../support/schedules/footprint.ts';
import type { ScheduleStage } from '../../support/schedules/stage.ts';
import { between, campaign, pickOne, seeded, times } from '../../support/seeded.ts';

/** One call: a row that it reads or writes, and calls that are made beside it, at the same time. */
interface Step {
  row: string;
  writes: boolean;
  beside: Step[];
  /** Made after it where the row has changed an odd number of times. */
  ifOdd: Step[];
}
type Program = Step[];

const rows = ['a', 'b', 'c'];

function randomStep(random: () => number, depth = 0): Step {
  const some = (): Step[] => (random() < 0.2 - depth / 10 ? [randomStep(random, depth + 1)] : []);
  return { row: pickOne(random, rows), writes: random() < 0.5, beside: some(), ifOdd: some() };
}

/** Three racers have fewer steps: to try all orders takes long. */
function randomPrograms(random: () => number): Program[] {
  const racers = between(random, 2, 3);
  const most = racers === 2 ? 2 : campaign(2, 1);
  return times(racers).map(() => times(between(random, 1, most)).map(() => randomStep(random)));
}

/** What happened: how often each row was changed, and what each call saw. It tells two orders apart where their effects differ. */
class World {
  changes = new Map<string, string[]>();
  seen: string[] = [];

  touch(call: string, { row, writes }: Step): number {
    const changes = this.changes.get(row) ?? [];
    this.seen.push(`${call} sees ${changes.join(' ')}`);
    if (writes) this.changes.set(row, [...changes, call]);
    return changes.length;
  }

  get text(): string {
    return [...this.seen].sort().join('\n');
  }
}

const footprintOf = ({ row, writes }: Step): Footprint => ({
  reads: new Set(writes ? [] : [`${row}\n`]),
  writes: new Set(writes ? [`${row}\n1`] : []),
});

type Act = (step: Step, call: string) => Promise<number>;

async function runStep(step: Step, call: string, act: Act): Promise<void> {
  const [count] = await Promise.all([
    act(step, call),
    ...step.beside.map((one, index) => runStep(one, `${call}+${index}`, act)),
  ]);
  if (count % 2 === 1) for (const [index, one] of step.ifOdd.entries()) await runStep(one, `${call}?${index}`, act);
}

async function run(program: Program, racer: number, act: Act): Promise<void> {
  for (const [index, step] of program.entries()) await runStep(step, `${racer}.${index}`, act);
}

/** Every effect that a schedule has which was explored, once for each schedule. */
async function explored(programs: readonly Program[]): Promise<string[]> {
  const effects: string[] = [];
  let world = new World();
  await explore({ send: async () => ({}) } as never, {
    racers: programs.map(
      (program, racer) => (stage: ScheduleStage) =>
        run(program, racer, (step, call) => stage.step(footprintOf(step), async () => world.touch(call, step))),
    ),
    reset: async () => {
      world = new World();
    },
    verify: async () => void effects.push(world.text),
  });
  return effects;
}

/** A call that waits, in a run in which the test decides which one goes on. */
interface Waiting {
  racer: number;
  go: () => void;
}

/** Every effect of every order with every death, found by trying them all. */
async function all(programs: readonly Program[]): Promise<Set<string>> {
  const effects = new Set<string>();
  const paths: number[][] = [[]];
  for (let path = paths.pop(); path; path = paths.pop()) {
    const world = new World();
    let waiting: Waiting[] = [];
    let dead = -1;
    for (const [racer, program] of programs.entries())
      void run(program, racer, (step, call) => {
        if (dead === racer) return new Promise(() => {});
        return new Promise((resolve) => {
          waiting.push({ racer, go: () => resolve(world.touch(call, step)) });
        });
      });
    for (let depth = 0; ; depth += 1) {
      await new Promise(setImmediate);
      const mortal = dead < 0 ? [...new Set(waiting.map(({ racer }) => racer))] : [];
      const choices = waiting.length + mortal.length;
      if (choices === 0) break;
      if (depth === path.length) {
        for (let other = 1; other < choices; other += 1) paths.push([...path, other]);
        path.push(0);
      }
      const choice = path[depth] ?? 0;
      const [chosen] = waiting.slice(choice, choice + 1);
      if (chosen) {
        waiting = waiting.filter((one) => one !== chosen);
        chosen.go();
      } else {
        dead = mortal[choice - waiting.length] ?? -1;
        waiting = waiting.filter(({ racer }) => racer !== dead);
      }
    }
    effects.add(world.text);
  }
  return effects;
}

describe('the search through orders of calls', () => {
  it('tries every order of a random program that has a different effect, with every crash', async () => {
    const random = seeded(11);
    const [runs, tried] = [campaign(1_000, 40), { effects: 0, schedules: 0 }];
    for (const _ of times(runs)) {
      const programs = randomPrograms(random);
      const [effects, schedules] = [await all(programs), await explored(programs)];
      expect(new Set(schedules), JSON.stringify(programs)).toEqual(effects);
      tried.effects += effects.size;
      tried.schedules += schedules.length;
    }
    console.log(`${runs} programs: ${tried.effects} effects, ${tried.schedules} schedules`);
  });
});

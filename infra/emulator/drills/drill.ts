import type { FakeStripe } from '../../local/stripe/fake-stripe.ts';
import type { Emulator } from '../emulator.ts';
import { say, timed } from '../say.ts';
import type { LiveShop } from './first-day.ts';
import type { OperatorShell } from './shell.ts';

/** What a drill has at hand. */
export interface DrillScene {
  emulator: Emulator;
  shell: OperatorShell;
  stripe: FakeStripe;
  shop: LiveShop;
  /** A copy of the table from before all damage: the emulator cannot go back in time. */
  copy: string;
}

/** A fault of a deployed stack, the command that names it, and the commands of the runbook that repair it. */
export interface Drill {
  name: string;
  /** The section of docs/runbook.md that is followed. */
  section: string;
  /** Does the damage, past every command, and returns what the next steps have to name. */
  breaks(scene: DrillScene): Promise<string>;
  /** The command that has to fail, and what it has to say. `<it>` is what was broken. */
  seenBy: { command: string; says: RegExp };
  /** A worker notices the fault by itself, before and not after the repair. */
  noticed?: { before(scene: DrillScene): Promise<void>; after(scene: DrillScene): Promise<void> };
  /** The only repair there is. */
  repairs: readonly string[];
  /** The commands that have to succeed afterwards. */
  provedBy: readonly string[];
}

/** Breaks the stack, sees that a command notices, repairs it by commands alone, and sees that all is well. Any other outcome throws. */
export async function practise(drill: Drill, scene: DrillScene): Promise<void> {
  await timed(`Drill: ${drill.name} (docs/runbook.md, ${drill.section})`, async () => {
    const it = await drill.breaks(scene);
    const filled = (line: string) =>
      line.replaceAll('<it>', it).replaceAll('<copy>', scene.copy).replaceAll('<PublicUrl>', scene.shop.PublicUrl);
    say(`  broken: ${it}`);
    await drill.noticed?.before(scene);
    await scene.shell.fail(filled(drill.seenBy.command), drill.seenBy.says);
    for (const line of drill.repairs) await scene.shell.run(filled(line));
    for (const line of drill.provedBy) await scene.shell.until(filled(line));
    await drill.noticed?.after(scene);
  });
}

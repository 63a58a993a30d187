import type { FakeStripe } from '../../local/stripe/fake-stripe.ts';
import type { Emulator } from '../emulator.ts';
import { say, timed } from '../say.ts';
import type { LiveShop } from './first-day.ts';
import type { OperatorShell } from './shell.ts';

/** What a drill gets to work with. */
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
  /** Causes the damage without any command. Returns values that the next steps need. */
  breaks(scene: DrillScene): Promise<string>;
  /** The command that must fail, and the text that it must print. `<it>` stands for the damaged thing. */
  seenBy: { command: string; says: RegExp };
  /** A worker detects the fault by itself before the repair, and no longer after it. */
  noticed?: { before(scene: DrillScene): Promise<void>; after(scene: DrillScene): Promise<void> };
  /** The command that repairs the fault. */
  repairs: readonly string[];
  /** The commands that must succeed afterwards. */
  provedBy: readonly string[];
}

/**
 * Damages the stack, expects a command to report it, repairs it by commands alone, and expects all to be well. Throws
 * otherwise.
 */
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

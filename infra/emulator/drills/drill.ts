import type { FakeStripe } from '../../local/stripe/fake-stripe.ts';
import type { Emulator } from '../emulator.ts';
import { say, timed } from '../say.ts';
import type { LiveShop } from './first-day.ts';
import type { OperatorShell } from './shell.ts';

/** The emulated stack, shop and shell in which a drill runs. */
export interface DrillScene {
  emulator: Emulator;
  shell: OperatorShell;
  stripe: FakeStripe;
  shop: LiveShop;
  /**
   * The name of a copy of the table from before all damage. It is needed because the emulator cannot restore an earlier
   * time.
   */
  copy: string;
}

/**
 * A drill: a fault of a deployed stack, the command that reports it, and the commands of the runbook that repair it.
 */
export interface Drill {
  name: string;
  /** The section of docs/runbook.md that the drill follows. */
  section: string;
  /** Causes the damage directly, without a command. Returns the id or name of the damaged thing for the next steps. */
  breaks(scene: DrillScene): Promise<string>;
  /**
   * The command that must fail, and the text that it must print. `<it>` stands for the id or name of the damaged thing.
   */
  seenBy: { command: string; says: RegExp };
  /** A worker that must notice the fault before the repair, and must not notice it after. */
  noticed?: { before(scene: DrillScene): Promise<void>; after(scene: DrillScene): Promise<void> };
  /** The command that repairs the fault. */
  repairs: readonly string[];
  /** The commands that must succeed afterwards. */
  provedBy: readonly string[];
}

/**
 * Damages the stack, expects a command to report it, repairs it with commands only, and expects that everything works
 * again. Throws if an expectation fails.
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

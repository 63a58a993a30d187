import { runFleet } from '../../../infra/commands/fleet.ts';
import { terminal } from '../../../infra/commands/kit/terminal.ts';
import { playFleet, stackOf } from './played-fleet.ts';

/** A run that a test kills while one stack is being deployed: `node hanging-run.ts <merchants> <state>`. */
const [merchants = '', state = ''] = process.argv.slice(2);
const play = {
  deploy: (stack: string) =>
    stack === stackOf(3) ? new Promise<never>(() => setInterval(() => {}, 1_000)) : Promise.resolve(),
};
const words = ['deploy', '--merchants', merchants, '--state', state, '--stage', 'sandbox', '--at-once', '1'];
await runFleet(words, terminal, playFleet(play).world);

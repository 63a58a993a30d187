import { App } from 'aws-cdk-lib';
import { describeLine } from '../shared/domain/check-line.ts';
import type { Stage } from '../shared/domain/merchant.ts';
import { DeploymentError, loadMerchantConfig, type MerchantConfig } from './merchant-config.ts';
import { checkSettings } from './preflight.ts';
import { addStacks } from './stacks.ts';
import { stageCode } from './stage-code.ts';
import { sourceVersionOf } from './version.ts';

/**
 * `cdk deploy -c merchant=<name> -c stage=sandbox|live` creates one stack. `-c merchants=<directory>` reads the
 * merchant's file from another directory, such as another repository.
 */
async function main(): Promise<void> {
  const app = new App();
  const config = loadMerchantConfig(merchantOf(app), contextOf(app, 'merchants'));
  const stage = stageOf(app);
  if (stage === 'live') assertReadyForLive(config);
  const code = await stageCode({ config, stage, outdir: app.outdir });
  addStacks(app, { config, stage, code, version: sourceVersionOf() });
  app.synth();
}

/** Lists what a live stack lacks. Throws if a setting would make the deployment fail, or deploy to another region. */
function assertReadyForLive(config: MerchantConfig): void {
  const lines = checkSettings(config, 'live');
  const text = (kind: 'warning' | 'missing') =>
    lines.filter(({ is }) => is === kind).map((line) => `${describeLine(line)}\n`);
  process.stderr.write(text('warning').join(''));
  if (text('missing').length === 0) return;
  throw new DeploymentError(`${text('missing').join('')}The live stack is not synthesized.`);
}

function merchantOf(app: App): string {
  const merchant = contextOf(app, 'merchant');
  if (merchant !== undefined) return merchant;
  throw new DeploymentError('The merchant is required. Add -c merchant=<name>, as in infra/merchants/<name>.json.');
}

function stageOf(app: App): Stage {
  const stage = contextOf(app, 'stage');
  if (stage === 'sandbox' || stage === 'live') return stage;
  throw new DeploymentError(
    `The stage is required. Add -c stage=sandbox or -c stage=live${stage ? `, not ${stage}` : ''}.`,
  );
}

function contextOf(app: App, name: string): string | undefined {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === 'string' ? value : undefined;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof DeploymentError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

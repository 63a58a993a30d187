import { App } from 'aws-cdk-lib';
import type { Stage } from '../shared/domain/merchant.ts';
import { bundleFunctions } from './constructs/function-bundles.ts';
import { DeploymentError, loadMerchantConfig } from './merchant-config.ts';
import { functionNames, MerchantStack } from './merchant-stack.ts';

/** `cdk deploy -c merchant=<name> -c stage=sandbox|live`: the one stack that was asked for. */
function main(): void {
  const app = new App();
  const config = loadMerchantConfig(merchantOf(app));
  new MerchantStack(app, { config, stage: stageOf(app), code: bundleFunctions({ functions: functionNames }) });
  app.synth();
}

function merchantOf(app: App): string {
  const merchant: unknown = app.node.tryGetContext('merchant');
  if (typeof merchant === 'string') return merchant;
  throw new DeploymentError('Which merchant? Add -c merchant=<name>, as in infra/merchants/<name>.json.');
}

function stageOf(app: App): Stage {
  const stage: unknown = app.node.tryGetContext('stage');
  if (stage === 'sandbox' || stage === 'live') return stage;
  throw new DeploymentError(`Which stage? Add -c stage=sandbox or -c stage=live${stage ? `, not ${stage}` : ''}.`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof DeploymentError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

import { join } from 'node:path';
import type { Stage } from '../shared/domain/merchant.ts';
import { bundleFunctions, type FunctionCode } from './constructs/function-bundles.ts';
import { filesOf, functionNamesOf } from './function-names.ts';
import type { MerchantConfig } from './merchant-config.ts';
import { makeSite } from './reference/make-site.ts';

interface StageCodeProps {
  /** The merchant, with the settings of each stage. */
  config: MerchantConfig;
  stage: Stage;
  /** The folder of the app's output, such as `app.outdir`. */
  outdir: string;
}

/** Bundles the functions of a stage. One of them contains the pages of `/docs`, which are made first. */
export function stageCode({ config, stage, outdir }: StageCodeProps): Promise<FunctionCode> {
  makeSite();
  const functions = functionNamesOf(config.stages[stage], config.merchant);
  return bundleFunctions({ functions, filesOf, outputs: join(outdir, 'functions') });
}

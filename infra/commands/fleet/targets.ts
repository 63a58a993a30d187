import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Stage } from '../../../shared/domain/merchant.ts';
import {
  DeploymentError,
  loadMerchantConfig,
  type MerchantConfig,
  merchantNames,
  merchantsDirectory,
} from '../../merchant-config.ts';
import type { rings, StageSettings } from '../../stage-settings.ts';

export type Ring = (typeof rings)[number];

/** One stack of the fleet: a stage of a merchant's file. */
export interface FleetStack {
  name: string;
  config: MerchantConfig;
  stage: Stage;
  settings: StageSettings;
  ring: Ring;
  /** The folder of the merchant's file. */
  folder: string;
  /** Changes when the merchant's file does. */
  fileHash: string;
}

/** The stacks of a folder, and why files of it cannot be read. */
interface Fleet {
  stacks: FleetStack[];
  faults: { merchant: string; message: string }[];
}

/** Reads every merchant's file in a folder. An invalid file does not hide the others. */
export function readFleet(named: string | undefined, stages: readonly Stage[]): Fleet {
  const folder = named === undefined ? merchantsDirectory : resolve(named);
  if (!existsSync(folder)) throw new DeploymentError(`There is no directory ${folder}.`);
  const fleet: Fleet = { stacks: [], faults: [] };
  for (const merchant of merchantNames(folder))
    try {
      fleet.stacks.push(...stacksIn(folder, merchant, stages));
    } catch (error) {
      if (!(error instanceof DeploymentError)) throw error;
      fleet.faults.push({ merchant, message: error.message });
    }
  if (fleet.stacks.length + fleet.faults.length === 0) throw new DeploymentError(`${folder} has no merchant's file.`);
  return fleet;
}

function stacksIn(folder: string, merchant: string, stages: readonly Stage[]): FleetStack[] {
  const config = loadMerchantConfig(merchant, folder);
  const fileHash = createHash('sha256')
    .update(readFileSync(join(folder, `${merchant}.json`)))
    .digest('hex');
  return stages.map((stage) => {
    const settings = config.stages[stage];
    const { ring = 'rest' } = settings;
    return { name: `tillstack-${merchant}-${stage}`, config, stage, settings, ring, folder, fileHash };
  });
}

/** The stacks, if every file can be read. Nothing is deployed from a folder with an invalid file. */
export function soundFleet({ stacks, faults }: Fleet): FleetStack[] {
  if (faults.length === 0) return stacks;
  throw new DeploymentError(faults.map(({ message }) => message).join('\n'));
}

import { bidi, type Cluster } from './clusters.ts';

/**
 * Rule L2 of the Unicode bidirectional algorithm. From the highest level down, it reverses every sequence of that level
 * or a higher one.
 */
export function inVisualOrder(clusters: readonly Cluster[]): readonly Cluster[] {
  const highest = Math.max(0, ...clusters.map(({ level }) => level));
  let ordered = [...clusters];
  for (let level = highest; level > 0; level -= 1) ordered = reverseSequences(ordered, level);
  return ordered;
}

function reverseSequences(clusters: readonly Cluster[], level: number): Cluster[] {
  const turned: Cluster[] = [];
  let sequence: Cluster[] = [];
  for (const cluster of clusters) {
    if (cluster.level >= level) sequence.unshift(cluster);
    else {
      turned.push(...sequence, cluster);
      sequence = [];
    }
  }
  return [...turned, ...sequence];
}

/** Mirrors brackets in text that is read from right to left. */
export const mirrored = (cluster: Cluster): string =>
  cluster.level % 2 === 1 ? (bidi.getMirroredCharacter(cluster.text) ?? cluster.text) : cluster.text;

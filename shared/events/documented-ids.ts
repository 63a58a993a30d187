interface DocumentedIds {
  refund_id?: string;
  adjustment_id?: string;
}

/**
 * The ids in an event's body that name the subject of its document. An adjustment has a document only if it undoes the
 * sale. The stack wrote the body itself, so it is not checked again.
 */
export function documentedIds({ type, payload }: { type: string; payload: string }): DocumentedIds {
  const { refund_id, adjustments } = JSON.parse(payload).data;
  const newest = type === 'dispute.adjusted' ? adjustments.at(-1) : undefined;
  return newest?.ground === 'rescinded' ? { adjustment_id: newest.adjustment_id } : { refund_id };
}

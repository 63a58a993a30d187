interface DocumentedIds {
  refund_id?: string;
  adjustment_id?: string;
}

/**
 * The ids in an event's body by which the worker finds what a document is about. Only an adjustment that undoes the sale
 * has a document. The body is our own, so it is not checked again.
 */
export function documentedIds({ type, payload }: { type: string; payload: string }): DocumentedIds {
  const { refund_id, adjustments } = JSON.parse(payload).data;
  const newest = type === 'dispute.adjusted' ? adjustments.at(-1) : undefined;
  return newest?.ground === 'rescinded' ? { adjustment_id: newest.adjustment_id } : { refund_id };
}

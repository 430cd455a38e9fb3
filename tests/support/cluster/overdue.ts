/** Lets every node be silent, as if its process had ended long ago. */

/** A statement: the next sweep takes each node for dead that has not signed since. */
export const OVERDUE = 'update nodes set seen_time = seen_time - 61, missed_time = 1'

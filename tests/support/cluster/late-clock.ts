/** Preloaded into a node: its clock is five minutes before the others. */
const present = Date.now
Date.now = () => present() + 300_000

/** Preloaded into a node: its clock is before the others, by five minutes or what the variable says. */
const shift_ms = Number(process.env.CLOCK_SHIFT_MS ?? 300_000)
const present = Date.now
Date.now = () => present() + shift_ms

/** The processes of a process group, as Linux lists them. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Member {
  pid: number
  parent: number
  command: string
}

/** The living members, in the order of their ids. */
export function membersOf(group: number): Member[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((one, other) => one - other)
    .flatMap(pid => memberAt(pid, group))
}

function memberAt(pid: number, group: number): Member[] {
  try {
    const [, state, parent, own] = /^\d+ \(.*\) (\S) (\d+) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))!
    if (Number(own) !== group || state === 'Z') return []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
    return [{ pid, parent: Number(parent), command }]
  } catch {
    // It has ended in between.
    return []
  }
}

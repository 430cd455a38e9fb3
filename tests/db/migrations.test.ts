// @engine sqlite
/** Migrations first expand and a release later contract: the nodes of the release before go on while one is rolled out. */
import { expect, test } from 'bun:test'
import { migrations } from '../../src/db/migrations.macro.ts'

/** The first migration of the rule; those before were made while there was no second node. */
const FIRST = '0016_fences'

/** What a program that does not know of it would stumble over. */
const takesAway = [
  /\bdrop (table|column)\b/i,
  /\brename\b/i,
  /\balter column\b(?!.*\b(set default|drop not null)\b)/i,
  /\badd (column )?\S+ (?!.*\bdefault\b).*\bnot null\b/i,
  /\b(drop|add) constraint\b/i,
  /\bcreate unique index\b/i,
]

const isTaking = (statement: string) => takesAway.some(pattern => pattern.test(statement))

test.each([
  ['ALTER TABLE "a" ADD COLUMN "b" text;', false],
  [`ALTER TABLE "a" ADD COLUMN "b" text DEFAULT '' NOT NULL;`, false],
  ['ALTER TABLE `a` ADD `b` text;', false],
  ['CREATE TABLE "a" ("b" text NOT NULL);', false],
  ['CREATE INDEX "a" ON "b" ("c");', false],
  ['DROP INDEX "a";', false],
  ['ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL;', false],
  ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;', true],
  ['ALTER TABLE `a` ADD `b` text NOT NULL;', true],
  ['ALTER TABLE "a" DROP COLUMN "b";', true],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', true],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', true],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint;', true],
  ['DROP TABLE "a";', true],
  ['CREATE UNIQUE INDEX "a" ON "b" ("c");', true],
])('the rule knows whether a program can do without %s', (statement, takes) => expect(isTaking(statement)).toBe(takes))

test('a migration that takes away what earlier programs need names the oldest one that can do without', () => {
  for (const [engine, all] of Object.entries(migrations())) {
    const names = all.map(({ name }) => name)
    let made: string[] = []
    for (const [index, { name, statements, compatible_since }] of all.entries()) {
      if (index < names.indexOf(FIRST)) continue
      // It is an earlier one, and never goes back.
      expect([engine, name, names.indexOf(compatible_since)]).toEqual([engine, name, expect.any(Number)])
      expect(names.slice(0, index)).toContain(compatible_since)
      expect(compatible_since >= all[index - 1]!.compatible_since).toBe(true)
      // Tables of the migration itself are no concern of earlier programs.
      made = [...made, ...statements.flatMap(text => /create table [`"](\w+)/i.exec(text)?.[1] ?? [])]
      const old = statements.filter(text => !made.some(table => new RegExp(`[\`"]${table}[\`"]`).test(text)))
      const before = all[index - 1]!.compatible_since
      if (old.some(isTaking)) expect([engine, name, compatible_since > before]).toEqual([engine, name, true])
    }
  }
})

test('both engines have the same migrations, which programs of the same age can run on', () => {
  const [sqlite, postgres] = Object.values(migrations()).map(all =>
    all.map(({ name, compatible_since }) => [name, compatible_since]),
  )
  expect(postgres).toEqual(sqlite!)
})

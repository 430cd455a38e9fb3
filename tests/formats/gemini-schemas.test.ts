// @engine sqlite
/** Schemas as Google takes them: a part of JSON Schema with words of its own. */
import { expect, test } from 'bun:test'
import { readSchema, writeSchema } from '../../src/formats/gemini/schema.ts'
import type { Json } from '../../src/pure/json.ts'

const choices = (...types: string[]) => types.map(type => ({ type }))
const either = (...types: string[]) => ({ anyOf: choices(...types) })

test.each<[string, Json, Json]>([
  [
    'of all together is one',
    {
      allOf: [
        { properties: { a: {} }, required: ['a'] },
        { properties: { b: {} }, required: ['b', 'a'] },
      ],
    },
    { properties: { a: {}, b: {} }, required: ['a', 'b'] },
  ],
  [
    'of all together needs in one part what stands in another',
    { allOf: [{ properties: { a: {} }, required: ['a'] }, { required: ['a', 'gone'] }, { properties: { b: {} } }] },
    { properties: { a: {}, b: {} }, required: ['a'] },
  ],
  ['of one of several is of any', { oneOf: [{ type: 'string' }, { type: 'number' }] }, either('string', 'number')],
  ['of several types is of any', { type: ['string', 'number'] }, either('string', 'number')],
  [
    'that may be null says so',
    { type: ['string', 'number', 'null'] },
    { ...either('string', 'number'), nullable: true },
  ],
  [
    'of either that may be null',
    { anyOf: [...choices('string', 'number'), { type: 'null' }] },
    { ...either('string', 'number'), nullable: true },
  ],
  ['has choices that are texts', { enum: ['a', '', 3] }, { type: 'string', enum: ['a'] }],
  ['has choices of nothing else', { type: 'integer', enum: ['1'] }, { type: 'integer' }],
  ['has formats that are known', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int64' }],
  ['has no others', { type: 'string', format: 'int64' }, { type: 'string' }],
  ['needs only what it has', { required: ['a'], properties: {} }, { properties: {} }],
  [
    'keeps its limits',
    {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      title: 'T',
      example: [],
      items: { minimum: 0, maximum: 9, pattern: 'x' },
    },
    {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      title: 'T',
      example: [],
      items: { minimum: 0, maximum: 9, pattern: 'x' },
    },
  ],
  [
    'leaves out what is refused',
    {
      type: 'object',
      minProperties: 1,
      maxProperties: 2,
      $schema: 'x',
      additionalProperties: false,
      not: {},
      patternProperties: {},
      $id: 'i',
    },
    { type: 'object', minProperties: 1, maxProperties: 2 },
  ],
  [
    'is followed by reference, with what stands beside',
    { properties: { a: { $ref: '#/definitions/A', description: 'D' } }, definitions: { A: { type: 'string' } } },
    { properties: { a: { type: 'string', description: 'D' } } },
  ],
  [
    'has names that are words of schemas',
    { properties: { type: { type: 'string' }, $ref: { type: 'string' } } },
    { properties: { type: { type: 'string' }, $ref: { type: 'string' } } },
  ],
])('gemini: a schema %s', (_, schema, expected) => {
  expect(writeSchema(schema)).toEqual(expected)
})

test('a schema of Google’s in the words of others', () => {
  const own = {
    type: 'ARRAY',
    items: { type: 'STRING', nullable: true },
    anyOf: [{ type: 'NUMBER' }],
    nullable: false,
  }
  expect(readSchema(own)).toEqual({
    type: 'array',
    items: { type: ['string', 'null'] },
    anyOf: [{ type: 'number' }],
  })
})

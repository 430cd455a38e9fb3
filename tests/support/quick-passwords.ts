/**
 * Argon2id with the least cost, under the parameters of the product, which take 60 ms of processor.
 * Only this process can verify such a hash; all other hashes are verified as they are. Programs that tests start
 * compute the product's own.
 */

const { hash, verify } = Bun.password
const costs = /m=\d+,t=\d+/
const computed = new Map<string, string>()

type Algorithm = Parameters<typeof hash>[1]

Bun.password.hash = async (password, algorithm?: Algorithm) => {
  if (typeof algorithm !== 'object' || algorithm.algorithm === 'bcrypt') return hash(password, algorithm)
  const made = await hash(password, { ...algorithm, memoryCost: 8, timeCost: 1 })
  const named = made.replace(costs, `m=${algorithm.memoryCost},t=${algorithm.timeCost}`)
  computed.set(named, made)
  return named
}

Bun.password.verify = (password, stored, algorithm) =>
  verify(password, computed.get(String(stored)) ?? stored, algorithm)

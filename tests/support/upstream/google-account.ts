/**
 * A service account of Google Cloud that exists in tests alone. The key pair was generated for these tests: it opens
 * nothing anywhere, and is published with them.
 */
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC4lp2DuACL23/u
OYRpiyT4DwayBsi9lYKHbtfA37UoMlB4YUMt4fvqqwn+RNBqEJJEtIe1Dlw9H9+L
WdauHJu9joTaZJhMPqUIuDicCPdjCFW7lnoYuQjwNXdiqpeEsJ+GwgkcRo3YaffV
S8tppfBVXloU9pyCDe8bJPDqXkjwSoH80SpuwvYU2C0V4ZhqSYM9jIY61VDRQ/xU
Kzmkz/PhpiCdM0uI5TzaRZ82J7di5xryZBewIrP7x5PPBkK2gNulfrFZYBDaguk/
aCKayZ64Bj1IfUyWITXQSuXZqxTgG4jC+Db22yjt036k5GSrpV64R703dl51Nsni
NVzHEHa7AgMBAAECggEAHRyj+wIqE+SqaIfpujuXuQelpq4rOrs5uuJgZKrjh1No
HZQ5ZCMf+ALBsLhpplC2wN84B/Yb1ggQ2YlxskQQy/SOP2NeIag/nwBu7Sz810GZ
Q9yXpQ6Juli0W3tMKkEw56/yf+Mgu+D6lUk+64qgPNaEnonGZTyNWVqaJFx6ZGsW
59pyfZNlU6HtGnBhJwy4AMEb8YK3FwcLuK1Hl0WruEYPr1E6URA/k0+2wVyQI3g5
H6xzFYkuUjLotNCRf7wZhuEAgvNJIIpDE+zHW2F9LjMXlpm3kfKpGkPUSpc9GTID
B9QNEELNaQL8/Mk2xsXd5ZjFSZY8q66eVnWefE1xAQKBgQDwxlTv2oB7alslctNr
uDCLmOUUKXlOfuKJcLhzkgxWb8RB0aOG9PGzXsvRZl/lGvpVWcGUfnHW5l2616D7
VHoIVWqDV6d9mtwEtyHyvgTGFHxbWJzpBKYAhNS28LuODJCDkQ2GjmDLkJ4BthrR
bqbaxquUugte0w0TE85LsoXEbwKBgQDEQryRKrO+pyNzhDUepEfAn0bVeG07irMD
74KeVQLyTPvT9lZ22W+O8TCjYe1uapdCOvk7BWZEO20k3J1lGMYAal5/iyNF4Nsc
2YQfzxN+sJv3448yI9pwatgZ8ikxnUYpA2BDuCJyeIrv3GeaxJtUGw4ExBFIgJhs
+LUDKaVQdQKBgEhS6xSZR9rKmdJn6YYD7+Ee7kDeLGgdySKLz3w3tKkKLaOvuzVA
wpGkugiOfeOt9OBKc9GNIdjxndoQB3U3bOiv76zAWblrGQf5kqL93SU65hfySD/e
e5bQT60cJtqGf6plmfB/OCgtqqjM8MVUPZ6d6tBkCiJTtyux2Vf3qiLVAoGAYUgH
OhmlkPo9+1NsFS0vF86biNKxqlLc2zWMVDklRb9dEDrJrw2mW384MbQnwZR6N20N
/vB1OZsPRbdJGUSHWMtg3e205T1Ivuser7mwGxslpGEaqKrW6uQ7C9laC+q+TTQM
MmUCRiV0EOL6Q9/ycmUatMgPHRYI9/Lrno61D8UCgYBK9JzF1MegDP6hD6u6SGG5
BlBXYP6eGEautDuPnOif2GY21eLY7o9SYzdQpdE+LrOS7kZ+3WkfoQWVyPiwsKfP
Nj1CbJth2gXZiqNJnncpRbb8Dk5noLUDW28zCPwSEtKbGK5tUSoQe0X7nLN9/Pm/
OCbTe9gcArh8KX/YRddk0Q==
-----END PRIVATE KEY-----
`

export const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuJadg7gAi9t/7jmEaYsk
+A8GsgbIvZWCh27XwN+1KDJQeGFDLeH76qsJ/kTQahCSRLSHtQ5cPR/fi1nWrhyb
vY6E2mSYTD6lCLg4nAj3YwhVu5Z6GLkI8DV3YqqXhLCfhsIJHEaN2Gn31UvLaaXw
VV5aFPacgg3vGyTw6l5I8EqB/NEqbsL2FNgtFeGYakmDPYyGOtVQ0UP8VCs5pM/z
4aYgnTNLiOU82kWfNie3Yuca8mQXsCKz+8eTzwZCtoDbpX6xWWAQ2oLpP2gimsme
uAY9SH1MliE10Erl2asU4BuIwvg29tso7dN+pORkq6VeuEe9N3ZedTbJ4jVcxxB2
uwIDAQAB
-----END PUBLIC KEY-----
`

export const KEY_ID = '0123456789abcdef0123456789abcdef01234567'
export const EMAIL = 'gateway@test-project.iam.gserviceaccount.com'

/** The document as Google gives it out. @param url of the server that stands in for Google */
export const serviceAccount = (url: string, fields: Record<string, unknown> = {}): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'test-project',
    private_key_id: KEY_ID,
    private_key: PRIVATE_KEY,
    client_email: EMAIL,
    client_id: '100000000000000000001',
    token_uri: `${url}/token`,
    universe_domain: 'googleapis.com',
    ...fields,
  })

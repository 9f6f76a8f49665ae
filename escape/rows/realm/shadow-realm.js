// A ShadowRealm, which has no fetch but can import.
// @control: none, no engine has it switched on
export default async (t) => {
  await new ShadowRealm().importValue(t.http('module.mjs'), 'default')
}

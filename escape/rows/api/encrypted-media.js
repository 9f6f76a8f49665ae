// A module for protected media, with a license server's address in a session's data.
// @control: none, browsers leave the sending to the page
export default async (t) => {
  const configuration = [{ initDataTypes: ['keyids', 'cenc'], videoCapabilities: [{ contentType: 'video/mp4; codecs="avc1.42E01E"' }] }]
  const access = await Promise.any(['com.widevine.alpha', 'org.w3.clearkey'].map((system) => navigator.requestMediaKeySystemAccess(system, configuration)))
  const session = (await access.createMediaKeys()).createSession()
  await session.generateRequest('keyids', new TextEncoder().encode(JSON.stringify({ kids: ['c2VjcmV0'], url: t.http('license') })))
}

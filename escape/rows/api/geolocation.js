// The location of the user, for which browsers ask a service.
// @control: none, a frame of another site needs the embedder's permission
export default async () => {
  await new Promise((resolve, reject) => { navigator.geolocation.getCurrentPosition(resolve, reject) })
}

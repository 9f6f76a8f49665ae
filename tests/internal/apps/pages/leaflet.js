const place = document.getElementById('app')
place.style = 'width: 200px; height: 200px'
const map = L.map(place, { fadeAnimation: false, zoomAnimation: false, markerZoomAnimation: false }).setView([51.5, -0.12], 0)
const marker = L.marker([51.5, -0.12]).addTo(map).bindPopup('Big Ben', { autoPan: false })
L.tileLayer('http://{outside}/leaflet/{z}/{x}/{y}.png', { noWrap: true }).on('tileerror', async () => {
  // The refusal may arrive before the marker's own picture.
  await marker.getElement().decode()
  document.getElementById('seen').textContent = `marker ${marker.getElement().naturalWidth}, no tile`
}).addTo(map)

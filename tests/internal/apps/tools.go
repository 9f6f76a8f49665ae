package apps

import "github.com/bellglass/bellglass/tests/internal/npm"

// Libraries that applications are built of.
var tools = []App{
	{
		Name:     "lodash",
		Packages: []npm.Package{{Name: "lodash", Version: "4.18.1", Integrity: "sha512-dMInicTPVE8d1e5otfwmmjlxkZoUpiVLwyeTdUsi/Caj/gfzzblBcCE5sRHV/AsjuCmxWrte2TNGSYuCeCq+0Q=="}},
		Load:     []string{"lodash/lodash.min.js"},
		See:      []Sight{{"#seen", `{"bronze":["ben","emmanuel"],"iron":["hum"]}`}},
	},
	{
		Name:     "axios",
		Packages: []npm.Package{{Name: "axios", Version: "1.13.2", Integrity: "sha512-VPk9ebNqPcy5lRGuSlKx752IlDatOjT9paPlm8A7yOuW2Fbvp4X3JznJtT4f0GzGLLiWE9W8onz51SqLYwzGaA=="}},
		Load:     []string{"axios/dist/axios.min.js"},
		Own:      map[string]string{"/bells.json": `{"bells": 6}`},
		See:      []Sight{{"#seen", "6 bells, then Network Error"}},
		Blocked:  []string{"http://" + Outside + "/axios?ring=1"},
	},
	{
		Name:     "socket",
		Packages: []npm.Package{{Name: "socket.io-client", Version: "4.8.1", Integrity: "sha512-hJVXfu3E28NmzGk8o1sHhN3om52tRvwYeidbj7xKy2eIIse5IoKX3USlS6Tqt3BHAtflLIkCQBkzVrEEfWUyYQ=="}},
		Load:     []string{"socket.io-client/dist/socket.io.min.js"},
		See:      []Sight{{"#seen", "websocket error, xhr poll error"}},
		Blocked: []string{
			"http://" + Outside + "/socket/?EIO=4&transport=polling",
			"ws://" + Outside + "/socket/?EIO=4&transport=websocket",
		},
	},
	{
		Name:     "rxjs",
		Packages: []npm.Package{{Name: "rxjs", Version: "7.8.2", Integrity: "sha512-dhKf903U/PQZY6boNNtAGdWbG85WAbjT/1xYoZIC7FAY0yWapOBQVsVrDl58W86//e1VpMNBtRV4MaXfdMySFA=="}},
		Load:     []string{"rxjs/dist/bundles/rxjs.umd.min.js"},
		Own:      map[string]string{"/bells.json": `[1, 2, 3]`},
		See:      []Sight{{"#seen", "12"}},
	},
	{
		Name:     "localforage",
		Packages: []npm.Package{{Name: "localforage", Version: "1.10.0", Integrity: "sha512-14/H1aX7hzBBmmh7sGPd+AOMkkIrHM3Z1PAyGgZigA1H1p5O5ANnMyWzvpAETtG68/dC4pC0ncy3+PPGzXZHPg=="}},
		Load:     []string{"localforage/dist/localforage.min.js"},
		See:      []Sight{{"#seen", `asyncStorage: {"bells":[6]}`}},
	},
	{
		Name:     "jszip",
		Packages: []npm.Package{{Name: "jszip", Version: "3.10.1", Integrity: "sha512-xXDvecyTpGLrqFrvkrUSoxxfJI5AH7U8zxxtVclpsUtMCq4JQ290LY8AW5c7Ggnr/Y/oK+bQMbqK2qmtk3pN4g=="}},
		Load:     []string{"jszip/dist/jszip.min.js"},
		See:      []Sight{{"#seen", "PK, ding ding"}},
	},
}

// strftime_now of Hugging Face transformers: Python's strftime in the C locale, of a moment given with the request.

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];

function two(value, fill = "0") {
	return String(value).padStart(2, fill);
}

// ISO 8601: [year, week].
function isoWeek(date) {
	const thursday = new Date(date.getTime());
	thursday.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
	const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
	return [thursday.getUTCFullYear(), Math.floor((thursday.getTime() - start) / 604800000) + 1];
}

// `now`: [year, month, day, hour, minute, second], local time.
export function strftime(format, now) {
	const [year, month, day, hour, minute, second] = now;
	const date = new Date(Date.UTC(year, month - 1, day));
	const weekday = date.getUTCDay();
	const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86400000) + 1;
	const hour12 = hour % 12 || 12;
	const directives = {
		a: () => DAYS[weekday].slice(0, 3),
		A: () => DAYS[weekday],
		b: () => MONTHS[month - 1].slice(0, 3),
		h: () => MONTHS[month - 1].slice(0, 3),
		B: () => MONTHS[month - 1],
		c: () => strftime("%a %b %e %H:%M:%S %Y", now),
		C: () => two(Math.floor(year / 100)),
		d: () => two(day),
		D: () => strftime("%m/%d/%y", now),
		e: () => two(day, " "),
		f: () => "000000",
		F: () => strftime("%Y-%m-%d", now),
		G: () => String(isoWeek(date)[0]),
		g: () => two(isoWeek(date)[0] % 100),
		H: () => two(hour),
		I: () => two(hour12),
		j: () => String(dayOfYear).padStart(3, "0"),
		k: () => two(hour, " "),
		l: () => two(hour12, " "),
		m: () => two(month),
		M: () => two(minute),
		n: () => "\n",
		p: () => (hour < 12 ? "AM" : "PM"),
		P: () => (hour < 12 ? "am" : "pm"),
		r: () => strftime("%I:%M:%S %p", now),
		R: () => strftime("%H:%M", now),
		s: () => String(Math.floor(Date.UTC(year, month - 1, day, hour, minute, second) / 1000)),
		S: () => two(second),
		t: () => "\t",
		T: () => strftime("%H:%M:%S", now),
		u: () => String(weekday || 7),
		U: () => two(Math.floor((dayOfYear + 6 - weekday) / 7)),
		V: () => two(isoWeek(date)[1]),
		w: () => String(weekday),
		W: () => two(Math.floor((dayOfYear + 6 - ((weekday + 6) % 7)) / 7)),
		x: () => strftime("%m/%d/%y", now),
		X: () => strftime("%H:%M:%S", now),
		y: () => two(year % 100),
		Y: () => String(year),
		z: () => "",
		Z: () => "",
		"%": () => "%",
	};
	return format.replace(/%([-_0^#]?)([A-Za-z%])/g, (all, flag, letter) => {
		if (!Object.prototype.hasOwnProperty.call(directives, letter)) {
			return all;
		}
		const text = directives[letter]();
		if (flag === "-") return text.replace(/^[0 ]+(?=.)/, "");
		if (flag === "_") return text.replace(/^0+(?=.)/, (zeros) => " ".repeat(zeros.length));
		return flag === "^" ? text.toUpperCase() : text;
	});
}

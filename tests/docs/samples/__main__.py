from tests.docs.samples import FOLDER, ROOMS, pictures

for room in ROOMS:
    for name, picture in pictures(room).items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(picture.png)
        print(f"{name}: {len(picture.png) // 1024} KiB. {picture.alt}")
